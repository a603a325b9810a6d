import { usdText } from "../canonical/mod.ts";
import { adjustFunds, type FundsResult, grantFunds } from "../funds/mod.ts";
import type { User } from "../store/users/mod.ts";
import { type AuditContext, auditEntry } from "./audit.ts";

/** A credit or a correction of a balance. */
export interface FundsOrder {
  readonly kind: "grant" | "add" | "take";
  /** In nano-dollars, above 0. */
  readonly nanoUsd: bigint;
  readonly reason: string;
  /** One per intent, so that a repeated order posts nothing. */
  readonly intent: string;
}

/** Grants a user credit, or corrects the balance, with an audit entry in the same commit. */
export async function changeFunds(
  user: User,
  order: FundsOrder,
  ctx: AuditContext,
): Promise<FundsResult> {
  const { services: { store }, account, nowMs } = ctx.state;
  const { kind, nanoUsd, reason, intent } = order;
  const draft = {
    administrator: account.user,
    accountId: user.id,
    changeNanoUsd: kind === "take" ? -nanoUsd : nanoUsd,
    reason,
    idempotencyKey: `${user.id}:${intent}`,
    audit: auditEntry(ctx, fundsFacts(user, order)),
  };
  return await (kind === "grant" ? grantFunds : adjustFunds)(store, draft, nowMs);
}

function fundsFacts(user: User, { kind, reason, nanoUsd }: FundsOrder) {
  const sign = kind === "take" ? "-" : "+";
  return {
    kind: "funds",
    action: kind === "grant" ? "granted" : "adjusted",
    targetId: user.id,
    targetName: user.email,
    changes: [{ field: "amount", after: sign + usdText(nanoUsd) }],
    reason,
  } as const;
}

/** Reads the id of an entry: of a posted one, or of a key's usage on one day. */
export function readLedgerEntryId(text: string | null): string | undefined {
  return /^[0-9A-HJKMNP-TV-Z]{10}([0-9A-HJKMNP-TV-Z]{16}|\.[\w-]{1,64})$/.exec(text ?? "")?.[0];
}
