import type { SignInSettings } from "../config.ts";
import { firstAccountId, type Role, type User } from "../store/users/mod.ts";

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

/** The users who may sign in by password or passkey. */
export type LocalSignIn = SignInSettings["local"];

/** Returns true if a user may sign in by password or passkey. The first administrator always may. */
export function maySignInLocally(
  { id }: Pick<User, "id">,
  local: LocalSignIn = "everyone",
): boolean {
  return local === "everyone" || id === firstAccountId;
}
