import type { Role, User } from "../store/users/mod.ts";

/** Permissions of administrators that members lack. Everything else belongs to each user. */
type Permission =
  | "manage-users"
  | "manage-groups"
  | "manage-models"
  | "manage-upstreams"
  | "manage-settings"
  | "manage-funds"
  | "see-all-accounts";

const allowed = {
  administrator: [
    "manage-users",
    "manage-groups",
    "manage-models",
    "manage-upstreams",
    "manage-settings",
    "manage-funds",
    "see-all-accounts",
  ],
  member: [],
} as const satisfies Record<Role, readonly Permission[]>;

export function may(user: User, permission: Permission): boolean {
  const permissions: readonly Permission[] = allowed[user.role];
  return user.enabled && permissions.includes(permission);
}
