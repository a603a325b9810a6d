import {
  type AdminToken,
  createAdminToken,
  getAdminTokenByDigest,
  noteAdminTokenUse,
} from "../store/admin_tokens/mod.ts";
import type { AuditDraft } from "../store/audit/mod.ts";
import { digestOf, newId, type Store } from "../store/mod.ts";
import { getUser, type User } from "../store/users/mod.ts";
import { admits } from "./authorize.ts";
import { covers, may } from "./permissions.ts";
import { newAdminTokenSecret, shownParts } from "./secrets.ts";

/** The fields of a token that its maker chooses. */
type AdminTokenDraft = Pick<
  AdminToken,
  "name" | "userId" | "parentId" | "scopes" | "expiresAtMs" | "ipAllowList"
>;

export interface IssuedAdminToken {
  readonly token: AdminToken;
  /** Shown once; only its digest is stored. */
  readonly secret: string;
}

/** Creates a token of the management API with a new secret. */
export async function issueAdminToken(
  store: Store,
  draft: AdminTokenDraft,
  { nowMs, audit }: { readonly nowMs: number; readonly audit?: (token: AdminToken) => AuditDraft },
): Promise<IssuedAdminToken> {
  const secret = newAdminTokenSecret();
  const token: AdminToken = {
    ...draft,
    id: newId("tok"),
    digest: digestOf(secret),
    ...shownParts(secret),
    createdAtMs: nowMs,
  };
  await createAdminToken(store, token, { audit: audit?.(token) });
  return { token, secret };
}

/** A valid token with its owner, or the reason why it is refused. */
export type AdminTokenCheck =
  | { readonly type: "valid"; readonly token: AdminToken; readonly user: User }
  | { readonly type: "unknown" | "expired" | "address" | "owner" };

const useNotedEveryMs = 60_000;

/**
 * Checks a token. `owner`: the account that it belongs to is disabled, or its role has no tokens.
 */
export async function checkAdminToken(
  store: Store,
  secret: string,
  { ip, nowMs }: { readonly ip: string; readonly nowMs: number },
): Promise<AdminTokenCheck> {
  const token = await getAdminTokenByDigest(store, digestOf(secret));
  if (token === undefined) return { type: "unknown" };
  if (token.expiresAtMs !== undefined && token.expiresAtMs <= nowMs) return { type: "expired" };
  if (token.ipAllowList && !admits(token.ipAllowList, ip)) return { type: "address" };
  const user = await getUser(store, token.userId);
  if (user === undefined || !may(user, "own:tokens")) return { type: "owner" };
  const isNoted = (token.lastUsedAtMs ?? 0) > nowMs - useNotedEveryMs;
  if (!isNoted) await noteAdminTokenUse(store, token.id, nowMs);
  return { type: "valid", token, user };
}

/**
 * Returns the first thing that a draft would permit beyond its maker: a scope, a later end, or an
 * address. Undefined if there is none.
 */
export function excessOf(
  draft: Pick<AdminToken, "scopes" | "expiresAtMs" | "ipAllowList">,
  maker: Pick<AdminToken, "scopes" | "expiresAtMs" | "ipAllowList">,
):
  | { readonly field: "scopes" | "expiresAtMs" | "ipAllowList"; readonly value?: string }
  | undefined {
  const scope = draft.scopes.find((wanted) => !covers(maker.scopes, wanted));
  if (scope !== undefined) return { field: "scopes", value: scope };
  if ((draft.expiresAtMs ?? Infinity) > (maker.expiresAtMs ?? Infinity)) {
    return { field: "expiresAtMs" };
  }
  const { ipAllowList: allowed } = maker;
  if (allowed === undefined) return undefined;
  const isWithin = draft.ipAllowList?.every((entry) => isEntryWithin(allowed, entry)) ?? false;
  return isWithin ? undefined : { field: "ipAllowList" };
}

/** A single address is within a block; a block only if the list has the same one. */
function isEntryWithin(allowed: readonly string[], entry: string): boolean {
  return allowed.includes(entry) || (!entry.includes("/") && admits(allowed, entry));
}
