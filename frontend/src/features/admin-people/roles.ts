import type { Role } from "../../api/types";

/** Roles with a sentence on what they may do. */
export const ROLES: readonly { role: Role; name: string; may: string }[] = [
  { role: "editor", name: "Editor", may: "Adds and changes deals, imports files and sees reports." },
  { role: "admin", name: "Administrator", may: "Does everything, people, keys and settings too." },
  { role: "user", name: "User", may: "Has an account, but no way into the office." },
];

export function roleName(role: Role): string {
  return ROLES.find((one) => one.role === role)?.name ?? role;
}

export function roleHint(role: Role): string {
  return ROLES.find((one) => one.role === role)?.may ?? "";
}
