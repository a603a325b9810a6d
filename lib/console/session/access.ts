import { type Context, HttpError } from "fresh";
import { type Permission, permits, roles } from "../../accounts/mod.ts";
import type { Role } from "../../store/users/mod.ts";
import type { AccountState } from "./state.ts";

/** The permissions of which a request needs one; empty: an account alone. */
type Need = readonly Permission[];

/** The needs of requests that read, and of those that change something. */
interface Needs {
  readonly read: Need;
  readonly change: Need;
}

const anyone: Need = [];
/** A route without forms refuses one from everyone but administrators. */
const nobody: Need = ["*"];

function reads(...read: Permission[]): Needs {
  return { read, change: nobody };
}

/** A page of `resource` with a form. */
function edits<
  Resource extends
    | "groups"
    | "projects"
    | "settings"
    | "upstreams"
    | "users"
    | "webhooks"
    | "codes",
>(
  resource: Resource,
): Needs {
  return { read: [`${resource}:read`], change: [`${resource}:write`] };
}

/** A page that is only for a change, or reveals a secret. */
function changes(...permissions: Permission[]): Needs {
  return { read: permissions, change: permissions };
}

const open: Needs = { read: anyone, change: anyone };
const ownKeys: Needs = { read: ["own:write", "keys:read"], change: ["own:write"] };
const own = changes("own:write");

/** The needs of each route of the console. A route that is missing is for administrators alone. */
export const routeNeeds: Readonly<Record<string, Needs>> = {
  "/console": reads(),
  "/console/account": reads(),
  "/console/account/devices": own,
  "/console/account/identities": open,
  "/console/account/identities/:id/delete": open,
  "/console/account/mail": open,
  "/console/account/passkeys": open,
  "/console/account/passkeys/:id": open,
  "/console/account/passkeys/:id/delete": open,
  "/console/account/password": open,
  "/console/account/sessions": open,
  "/console/account/totp": open,
  "/console/account/totp/codes": open,
  "/console/account/totp/delete": open,
  "/console/account/totp/shown": open,
  "/console/alerts": reads(),
  "/console/confirm": open,
  "/console/confirm/sso": open,
  "/console/connect": own,
  "/console/connect/catalog": own,
  "/console/connect/check": own,
  "/console/connect/events": own,
  "/console/export": reads(),
  "/console/log": reads(),
  "/console/log/:id": reads(),
  "/console/log/:id/content": reads(), // of others: `recordings:read`, audited
  "/console/log/export": reads(),
  "/console/log/live": reads(),
  "/console/log/views": open, // the reader's own view of the log
  "/console/playground": own,
  "/console/playground/call": own,
  "/console/playground/receipt": own,
  "/console/pricing": reads(),
  "/console/pricing/model": { read: anyone, change: ["prices:write"] },
  "/console/pricing/proposals": { read: ["prices:read"], change: ["prices:write"] },
  "/console/pricing/virtual": changes("models:write"),
  "/console/projects": reads(),
  "/console/projects/:id": reads(),
  "/console/projects/:id/keys": own,
  "/console/projects/:id/member": own,
  "/console/search": reads(),
  "/console/speculation-rules": reads(),
  "/console/token": ownKeys,
  "/console/token/:id": ownKeys,
  "/console/token/:id/delete": own,
  "/console/token/:id/edit": own,
  "/console/token/:id/enabled": own,
  "/console/token/:id/recording": changes("recordings:write"),
  "/console/token/:id/rotate": own,
  "/console/token/:id/sessions": ownKeys,
  "/console/token/bulk": own,
  "/console/token/columns": changes("own:write", "keys:read"), // the reader's own choice
  "/console/token/export": ownKeys,
  "/console/token/new": own,
  "/console/token/rotated": own,
  "/console/topup": reads(),
  "/console/topup/export": reads(),
  "/console/topup/pay": own,
  "/console/topup/redeem": own,
  "/console/viewing": open,
  "/console/welcome": own,
  "/console/admin/audit": reads("audit:read"),
  "/console/admin/audit/:id": reads("audit:read"),
  "/console/admin/audit/export": reads("audit:read"),
  "/console/admin/codes": reads("codes:read"),
  "/console/admin/codes/:id": edits("codes"),
  "/console/admin/codes/:id/code": changes("codes:write"),
  "/console/admin/codes/:id/enabled": changes("codes:write"),
  "/console/admin/codes/:id/export": changes("codes:write"),
  "/console/admin/codes/:id/made": changes("codes:write"),
  "/console/admin/codes/new": changes("codes:write"),
  "/console/admin/groups": reads("groups:read"),
  "/console/admin/groups/:id": edits("groups"),
  "/console/admin/groups/:id/delete": changes("groups:write"),
  "/console/admin/groups/new": changes("groups:write"),
  "/console/admin/projects": reads("projects:read"),
  "/console/admin/projects/:id": edits("projects"),
  "/console/admin/projects/:id/archived": changes("projects:write"),
  "/console/admin/projects/:id/members": changes("projects:write"),
  "/console/admin/projects/new": changes("projects:write"),
  "/console/admin/projects/organization": edits("projects"),
  "/console/admin/projects/tags": edits("projects"),
  "/console/admin/settings": edits("settings"),
  "/console/admin/settings/mail": edits("settings"),
  "/console/admin/settings/test": changes("settings:write"),
  "/console/admin/tokens": reads("own:tokens"),
  "/console/admin/tokens/:id/delete": changes("own:tokens"),
  "/console/admin/tokens/made": changes("own:tokens"),
  "/console/admin/tokens/new": changes("own:tokens"),
  "/console/admin/upstreams": reads("upstreams:read"),
  "/console/admin/upstreams/:id": edits("upstreams"),
  "/console/admin/upstreams/:id/credentials": changes("upstreams:write"),
  "/console/admin/upstreams/:id/delete": changes("upstreams:write"),
  "/console/admin/upstreams/:id/enabled": changes("upstreams:write"),
  "/console/admin/upstreams/:id/fallback": changes("upstreams:write"),
  "/console/admin/upstreams/:id/import": changes("upstreams:write"),
  "/console/admin/upstreams/:id/models": changes("upstreams:write"),
  "/console/admin/upstreams/:id/order": changes("upstreams:write"),
  "/console/admin/upstreams/:id/test": changes("upstreams:write"),
  "/console/admin/upstreams/new": changes("upstreams:write"),
  "/console/admin/upstreams/new/cloud": changes("upstreams:write"),
  "/console/admin/users": reads("users:read"),
  "/console/admin/users/:id": edits("users"),
  "/console/admin/users/:id/delete": changes("users:write"),
  "/console/admin/users/:id/enabled": changes("users:write"),
  "/console/admin/users/:id/funds": changes("wallets:write"),
  "/console/admin/users/:id/password": changes("users:write"),
  "/console/admin/users/:id/recording": changes("recordings:write"),
  "/console/admin/users/:id/second-step": changes("users:write"),
  "/console/admin/users/:id/sessions": changes("users:write"),
  "/console/admin/users/:id/view": changes("users:write"),
  "/console/admin/users/export": reads("users:read"),
  "/console/admin/users/invitations": changes("users:write"),
  "/console/admin/users/invite": changes("users:write"),
  "/console/admin/users/invited": changes("users:write"),
  "/console/admin/webhooks": reads("webhooks:read"),
  "/console/admin/webhooks/:id": edits("webhooks"),
  "/console/admin/webhooks/:id/delete": changes("webhooks:write"),
  "/console/admin/webhooks/:id/deliveries/:event": edits("webhooks"),
  "/console/admin/webhooks/:id/enabled": changes("webhooks:write"),
  "/console/admin/webhooks/:id/rotate": changes("webhooks:write"),
  "/console/admin/webhooks/:id/test": changes("webhooks:write"),
  "/console/admin/webhooks/new": changes("webhooks:write"),
};

/** The roles that may make a request to a route. */
function rolesFor(route: string, method: string): readonly Role[] {
  const { read, change } = routeNeeds[route] ?? { read: nobody, change: nobody };
  const need = method === "GET" || method === "HEAD" ? read : change;
  if (need.length === 0) return roles;
  return roles.filter((role) => need.some((permission) => permits(role, permission)));
}

/** The error of a request that only other roles may make. */
export class RoleRefused extends HttpError {
  /** The roles that may make it. */
  readonly roles: readonly Role[];

  constructor(roles: readonly Role[]) {
    super(403);
    this.roles = roles;
  }
}

/** Middleware that refuses what the reader's role does not permit. */
export async function permitted(ctx: Context<AccountState>): Promise<Response> {
  const { req, route, state: { account: { user } } } = ctx;
  const allowed = route === null ? roles : rolesFor(route, req.method);
  if (!allowed.includes(user.role)) throw new RoleRefused(allowed);
  return await ctx.next();
}

/** Each route with its parts, the literal ones first. */
const patterns = Object.keys(routeNeeds).map((route) => ({ route, parts: route.split("/") }))
  .sort((a, b) => a.route.split(":").length - b.route.split(":").length);

/** Returns true if a role may follow a link of the console, or post a form to it. */
export function opens(role: Role, href: string, method: "GET" | "POST" = "GET"): boolean {
  const path = href.split(/[?#]/, 1)[0];
  if (role === "administrator" || !path.startsWith("/console")) return true;
  const parts = path.replace(/\/$/, "").split("/");
  const found = patterns.find((one) =>
    one.parts.length === parts.length &&
    one.parts.every((part, at) => part === parts[at] || part.startsWith(":"))
  );
  return found !== undefined && rolesFor(found.route, method).includes(role);
}
