import type { SignInSettings } from "../config.ts";
import {
  firstAccountId,
  type LinkMaker,
  type Role,
  termOf,
  type User,
} from "../store/users/mod.ts";

/** Permissions of administrators that members lack. Everything else belongs to each user. */
const permissions = [
  "manage-users",
  "manage-groups",
  "manage-models",
  "manage-upstreams",
  "manage-settings",
  "manage-funds",
  "see-all-accounts",
] as const;
type Permission = typeof permissions[number];

const allowed: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: permissions,
  member: [],
};

export function may(user: User, permission: Permission): boolean {
  return user.enabled && allowed[user.role].includes(permission);
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

/** The resources of the management API. */
const scopedResources = [
  "keys",
  "users",
  "groups",
  "upstreams",
  "models",
  "codes",
  "wallets",
  "usage",
  "calls",
  "audit",
  "alerts",
  "settings",
  "projects",
  "webhooks",
  "tokens",
] as const;
type ScopedResource = typeof scopedResources[number];

/** Resources that nobody changes. */
const readOnly: ReadonlySet<ScopedResource> = new Set(["usage", "calls", "audit"]);

/** A permission of an API token. `write` includes `read`; `*:read` reads everything; `*` is all. */
export type AdminScope = `${ScopedResource}:${"read" | "write"}` | "*:read" | "*";

/** Every scope, the widest first. */
export const adminScopes: readonly AdminScope[] = [
  "*",
  "*:read",
  ...scopedResources.flatMap((resource): AdminScope[] =>
    readOnly.has(resource) ? [`${resource}:read`] : [`${resource}:read`, `${resource}:write`]
  ),
];

/** The scope with which an API token lets users of a role in and changes them. */
export const scopeForRole = {
  administrator: "*",
  member: "users:write",
} as const satisfies Record<Role, AdminScope>;

/** Returns true if the held scopes permit what `wanted` permits. */
export function covers(held: readonly string[], wanted: string): boolean {
  if (held.includes("*") || held.includes(wanted)) return true;
  if (!wanted.endsWith(":read")) return false;
  return held.includes("*:read") || held.includes(wanted.replace(/:read$/, ":write"));
}

/** Returns true if the maker of an invitation may still give its starting credit. */
export function mayStillGrant({ user, token }: Pick<LinkMaker, "user" | "token">): boolean {
  if (user === undefined || !may(user, "manage-funds")) return false;
  return token === undefined || covers(token.scopes, creditScope);
}

/** The scope with which an API token gives credit. */
export const creditScope = "wallets:write" satisfies AdminScope;

/**
 * Returns true if the maker of a link may still let in a user of a role: an administrator without a
 * break, and the API token by which the link was made.
 */
export function mayLetIn({ made, user, token }: LinkMaker, role: Role, nowMs: number): boolean {
  if (user === undefined || !may(user, "manage-users")) return false;
  if (termOf(user) !== termOf(made)) return false;
  if (made.tokenId === undefined) return true;
  if (token === undefined || (token.expiresAtMs ?? Infinity) <= nowMs) return false;
  return covers(token.scopes, scopeForRole[role]);
}
