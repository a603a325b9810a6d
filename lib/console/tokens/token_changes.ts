import { issueAdminToken, type IssuedAdminToken } from "../../accounts/mod.ts";
import { type AdminToken, deleteAdminToken } from "../../store/admin_tokens/mod.ts";
import { type AuditContext, auditEntry, changesBetween } from "../audit/audit.ts";
import type { TokenSettings } from "./token_form.ts";

/** A new token, shown once after the form is posted. */
export interface MadeToken {
  readonly name: string;
  readonly secret: string;
}

/** Creates a token that acts for the administrator who asks. */
export function createToken(
  ctx: AuditContext,
  settings: TokenSettings,
): Promise<IssuedAdminToken> {
  const { services: { store }, account: { user }, nowMs } = ctx.state;
  const audit = (token: AdminToken) =>
    auditEntry(ctx, {
      ...factsOf(token),
      action: "created",
      changes: changesBetween({}, wordsOf(token)),
    });
  const owner = { userId: user.id, term: user.administratorTerms };
  return issueAdminToken(store, { ...settings, ...owner }, { nowMs, audit });
}

/** Revokes a token. `check` may refuse by throwing. Returns false if the token is gone. */
export function revokeToken(
  ctx: AuditContext,
  token: Pick<AdminToken, "id" | "name">,
  check: (current: AdminToken) => void = () => {},
): Promise<boolean> {
  const audit = (current: AdminToken) => {
    check(current);
    return auditEntry(ctx, { ...factsOf(token), action: "deleted" });
  };
  return deleteAdminToken(ctx.state.services.store, token.id, { audit });
}

function factsOf({ id, name }: Pick<AdminToken, "id" | "name">) {
  return { kind: "token", targetId: id, targetName: name } as const;
}

function wordsOf({ scopes, expiresAtMs, ipAllowList }: AdminToken) {
  return {
    scopes: scopes.join(", "),
    expires: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
    addresses: ipAllowList?.join(", "),
  };
}
