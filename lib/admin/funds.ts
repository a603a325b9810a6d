import { usdText } from "../canonical/mod.ts";
import {
  adjustFunds,
  type BatchDraft,
  type BatchResult,
  createBatch,
  type FundsResult,
  grantFunds,
  setBatchEnabled,
  setCodeEnabled,
} from "../funds/mod.ts";
import type { RedemptionBatch, RedemptionCode } from "../store/money/mod.ts";
import type { User } from "../store/users/mod.ts";
import {
  type AuditContext,
  auditEntry,
  type AuditFacts,
  checkedEntry,
  type RecordCheck,
} from "./audit.ts";

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

/** Creates a batch of codes with its audit entry. */
export function createCodes(draft: BatchDraft, ctx: AuditContext): Promise<BatchResult> {
  const { services: { store, config }, account, nowMs } = ctx.state;
  const codesMax = config.limits.redemptionCodesMax;
  const audit = (batch: RedemptionBatch) => auditEntry(ctx, madeBatch(batch));
  return createBatch(store, account.user, draft, { nowMs, codesMax, audit });
}

/**
 * Enables or disables a batch, with an audit entry. `check` may refuse the stored batch by throwing.
 */
export async function enableBatch(
  { id, name }: RedemptionBatch,
  enabled: boolean,
  ctx: AuditContext,
  check?: RecordCheck<RedemptionBatch>,
): Promise<void> {
  const { services: { store }, account } = ctx.state;
  const action = enabled ? "enabled" : "disabled";
  const facts = { kind: "batch", action, targetId: id, targetName: name } as const;
  const audit = checkedEntry(ctx, facts, check);
  await setBatchEnabled(store, account.user, { batchId: id, enabled, audit });
}

/** Enables or disables one code of a batch, with an audit entry. Returns undefined if there is none. */
export async function enableCode(
  batch: RedemptionBatch,
  { digest, enabled }: Pick<RedemptionCode, "digest" | "enabled">,
  ctx: AuditContext,
): Promise<RedemptionCode | undefined> {
  const { services: { store }, account } = ctx.state;
  const action = enabled ? "enabled" : "disabled";
  const audit = (code: RedemptionCode) => {
    const target = { targetId: code.batchId, targetName: `${shownCode(code)} (${batch.name})` };
    return auditEntry(ctx, { kind: "code", action, ...target });
  };
  const code = await setCodeEnabled(store, account.user, { digest, enabled, audit });
  return code && "type" in code ? undefined : code;
}

function madeBatch(batch: RedemptionBatch) {
  const { id, name, amountNanoUsd, count, usesMax, perAccountMax, expiresAtMs } = batch;
  const expires = expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString();
  return {
    kind: "batch",
    action: "created",
    targetId: id,
    targetName: name,
    changes: [
      { field: "amount", after: usdText(amountNanoUsd) },
      { field: "count", after: String(count) },
      { field: "uses", after: String(usesMax) },
      ...(perAccountMax === undefined ? [] : [{
        field: "perAccount",
        after: String(perAccountMax),
      }]),
      ...(expires ? [{ field: "expires", after: expires }] : []),
    ],
  } as const satisfies AuditFacts;
}

/** A code in its short form: `7K3QX…9HT2`. */
export function shownCode({ prefix, lastFour }: RedemptionCode): string {
  return `${prefix}…${lastFour}`;
}

export const batchStatuses = ["enabled", "disabled", "expired"] as const;
type BatchStatusName = typeof batchStatuses[number];

/** Returns `disabled` for a disabled batch even after it has expired. */
export function batchStatus(
  { enabled, isExpired }: { readonly enabled: boolean; readonly isExpired: boolean },
): BatchStatusName {
  if (!enabled) return "disabled";
  return isExpired ? "expired" : "enabled";
}
