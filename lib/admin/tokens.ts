import { z } from "zod";
import {
  type AdminScope,
  adminScopes,
  issueAdminToken,
  type IssuedAdminToken,
} from "../accounts/mod.ts";
import { type AdminToken, deleteAdminToken } from "../store/admin_tokens/mod.ts";
import { StoreError } from "../store/mod.ts";
import {
  type AuditContext,
  auditEntry,
  changesBetween,
  checkedEntry,
  type RecordCheck,
} from "./audit.ts";

/** Creates a token that acts for the administrator who asks. Throws `StoreError` `too_large`. */
export function createToken(
  ctx: AuditContext,
  settings: TokenSettings & Pick<AdminToken, "parentId">,
): Promise<IssuedAdminToken> {
  const { services: { store }, account: { user }, nowMs } = ctx.state;
  const audit = (token: AdminToken) =>
    auditEntry(ctx, {
      ...factsOf(token),
      action: "created",
      changes: changesBetween({}, wordsOf(token)),
    });
  return issueAdminToken(store, { ...settings, userId: user.id }, { nowMs, audit });
}

/** Awaits a new token; `full` if the administrator has the maximum number of them. */
export async function unlessFull(
  creating: Promise<IssuedAdminToken>,
): Promise<IssuedAdminToken | "full"> {
  return await creating.catch((error) => {
    if (error instanceof StoreError && error.code === "too_large") return "full";
    throw error;
  });
}

/** Revokes a token with all that it created. `check` may refuse by throwing. Returns false if the token is gone. */
export function revokeToken(
  ctx: AuditContext,
  token: Pick<AdminToken, "id" | "name">,
  check?: RecordCheck<AdminToken>,
): Promise<boolean> {
  const audit = checkedEntry(ctx, { ...factsOf(token), action: "deleted" }, check);
  return deleteAdminToken(ctx.state.services.store, token.id, { audit });
}

function factsOf({ id, name }: Pick<AdminToken, "id" | "name">) {
  return { kind: "token", targetId: id, targetName: name } as const;
}

function wordsOf({ parentId, scopes, expiresAtMs, ipAllowList }: AdminToken) {
  return {
    parent: parentId,
    scopes: scopes.join(", "),
    expires: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
    addresses: ipAllowList?.join(", "),
  };
}

/** The scopes of a token, at least one. */
export const tokenScopes = z.array(z.enum(adminScopes)).min(1)
  .transform((all): AdminScope[] => [...new Set(all)]);

/** The settings of a token. */
export type TokenSettings = Pick<AdminToken, "name" | "scopes" | "expiresAtMs" | "ipAllowList">;
