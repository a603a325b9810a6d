import type { SignInSettings } from "../config.ts";
import {
  firstAccountId,
  type LinkMaker,
  type Role,
  termOf,
  type User,
} from "../store/users/mod.ts";

/** The resources of the management API. */
const scopedResources = [
  "keys",
  "users",
  "groups",
  "upstreams",
  "models",
  "prices",
  "codes",
  "wallets",
  "usage",
  "calls",
  "recordings",
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

/**
 * A permission of an API token. `write` includes `read`; `models` includes `prices`; `*:read` reads
 * everything but contents of calls; `*` is all.
 */
export type AdminScope = `${ScopedResource}:${"read" | "write"}` | "*:read" | "*";

/**
 * A permission of a role: a scope, or one for the own account. `own:write` is for its keys, calls and
 * funds, `own:tokens` for its API tokens.
 */
export type Permission = AdminScope | "own:write" | "own:tokens";

/**
 * The permissions of each role. Console, menu and management API all read this table. The own
 * sign-in and the own calls need none.
 */
const permissionsOf: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ["*"],
  billing: [
    "wallets:write",
    "codes:write",
    "prices:write",
    "models:read",
    "groups:read",
    "users:read",
    "projects:read",
    "usage:read",
    "calls:read",
    "alerts:read",
    "own:tokens",
  ],
  viewer: ["*:read", "own:tokens"],
  member: ["own:write"],
};

/** The roles, the most powerful first. */
export const roles = Object.keys(permissionsOf) as Role[]; // the keys of the record

/** Returns true if an enabled user of the role has the permission. */
export function permits(role: Role, permission: Permission): boolean {
  return covers(permissionsOf[role], permission);
}

export function may(user: Pick<User, "role" | "enabled">, permission: Permission): boolean {
  return user.enabled && permits(user.role, permission);
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
  billing: "*",
  viewer: "*",
  member: "users:write",
} as const satisfies Record<Role, AdminScope>;

/** The scope of contents of calls, which `*:read` does not include: it is named on purpose. */
const contentScope = "recordings:read" satisfies AdminScope;

/** Returns true if the held scopes permit what `wanted` permits. */
export function covers(held: readonly string[], wanted: string): boolean {
  if (held.includes("*") || held.includes(wanted)) return true;
  if (wanted.startsWith("prices:") && covers(held, wanted.replace("prices", "models"))) return true;
  if (!wanted.endsWith(":read")) return false;
  if (wanted === contentScope) return held.includes("recordings:write");
  return held.includes("*:read") || held.includes(wanted.replace(/:read$/, ":write"));
}

/** Returns true if the maker of an invitation may still give its starting credit. */
export function mayStillGrant({ user, token }: Pick<LinkMaker, "user" | "token">): boolean {
  if (user === undefined || !may(user, "wallets:write")) return false;
  return token === undefined || covers(token.scopes, creditScope);
}

/** The scope with which an API token gives credit. */
export const creditScope = "wallets:write" satisfies AdminScope;

/**
 * Returns true if the maker of a link may still let in a user of a role: an administrator without a
 * break, and the API token by which the link was made.
 */
export function mayLetIn({ made, user, token }: LinkMaker, role: Role, nowMs: number): boolean {
  if (user === undefined || !may(user, "users:write")) return false;
  if (termOf(user) !== termOf(made)) return false;
  if (made.tokenId === undefined) return true;
  if (token === undefined || (token.expiresAtMs ?? Infinity) <= nowMs) return false;
  return covers(token.scopes, scopeForRole[role]);
}
