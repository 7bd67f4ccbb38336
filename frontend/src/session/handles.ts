/**
 * Storage keys of the server's handles for forms that wait for a code: tries with a handle
 * are counted apart from those of strangers.
 */

/** Key of a registration. */
export function registrationOf(email: string): string {
  return `registration:${email}`;
}

/** Key of a password reset. */
export function resetOf(email: string): string {
  return `reset:${email}`;
}
