/**
 * Where the handles are kept that the server gave for forms which wait for a code: whoever
 * has one can type the code, and nobody else's tries count against it.
 */

/** Of a registration. */
export function registrationOf(email: string): string {
  return `registration:${email}`;
}

/** Of a request for a new password. */
export function resetOf(email: string): string {
  return `reset:${email}`;
}
