/**
 * Storage keys of the server's handles for forms that wait for a code: tries with a handle
 * are counted apart from those of strangers.
 */

export function registrationOf(email: string): string {
  return `registration:${email}`;
}

export function resetOf(email: string): string {
  return `reset:${email}`;
}
