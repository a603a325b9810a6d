import { type AdminTokenCheck, checkAdminToken, covers } from "../../accounts/mod.ts";
import type { Store } from "../../store/mod.ts";
import { ManagementError } from "./error.ts";
import type { ApiOperation } from "./operation.ts";

type ValidToken = Extract<AdminTokenCheck, { readonly type: "valid" }>;

/**
 * The token of a request. Throws `invalid_api_key`, `ip_not_allowed` or `scope_missing`. Cookies and
 * the keys of model calls are not accepted.
 */
export async function authenticate(
  { headers }: Request,
  { scope }: Pick<ApiOperation, "scope">,
  { store, ip, nowMs, baseUrl }: {
    readonly store: Store;
    readonly ip: string;
    readonly nowMs: number;
    /** The base URL of model calls, for clients that are wrong here. */
    readonly baseUrl: string;
  },
): Promise<ValidToken> {
  const secret = /^bearer +(sk-admin-\w{1,200})$/i.exec(headers.get("authorization")?.trim() ?? "");
  if (secret === null) throw unauthorized(missing(baseUrl));
  const check = await checkAdminToken(store, secret[1], { ip, nowMs });
  if (check.type === "address") throw new ManagementError("ip_not_allowed", refusals.address);
  if (check.type !== "valid") throw unauthorized(refusals[check.type]);
  if (scope === undefined || covers(check.token.scopes, scope)) return check;
  throw new ManagementError("scope_missing", `The API token lacks the scope ${scope}`);
}

function missing(baseUrl: string): string {
  return "The management API needs an API token, sent as Authorization: Bearer sk-admin-…; " +
    `administrators create them at /console/admin/tokens. For model calls, set the base URL to ${baseUrl}`;
}

const refusals: Readonly<Record<Exclude<AdminTokenCheck["type"], "valid">, string>> = {
  unknown: "The API token is unknown or revoked. Create one at /console/admin/tokens",
  expired: "The API token has expired. Create one at /console/admin/tokens",
  address: "The API token does not allow this IP address",
  owner: "The account of the API token is no longer an enabled administrator",
};

function unauthorized(message: string): ManagementError {
  return new ManagementError("invalid_api_key", message, {
    headers: { "www-authenticate": 'Bearer realm="Tessera management API"' },
  });
}
