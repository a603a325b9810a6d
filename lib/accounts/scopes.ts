import type { Role } from "../store/users/mod.ts";

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
