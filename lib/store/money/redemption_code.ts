import { addAuditEntry, type AuditDraft } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { getEntries } from "../kv/entries.ts";
import { decodeRecord, encodeRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { LedgerEntry } from "./ledger_entry.ts";
import { addEntries, type EntryDraft } from "./ledger_entry_post.ts";
import {
  batchKind,
  codeKind,
  type RedemptionBatch,
  type RedemptionCode,
} from "./redemption_code_batch.ts";

/** The result of redeeming a code. */
type Redemption =
  | { readonly type: "redeemed"; readonly entry: LedgerEntry }
  /** The same account redeemed it before. */
  | { readonly type: "repeated"; readonly atMs: number }
  /** The account has redeemed the maximum number of codes of the batch. */
  | { readonly type: "limited"; readonly perAccountMax: number }
  | { readonly type: "unusable"; readonly cause: RedemptionFault };

/** The reason a code cannot be redeemed. */
type RedemptionFault = "unknown" | "disabled" | "expired" | "used up";

interface Redeemer {
  readonly digest: string;
  readonly accountId: string;
  readonly nowMs: number;
  /** Written in the same commit. */
  readonly audit?: (entry: LedgerEntry) => AuditDraft;
}

/**
 * Redeems a code for an account: counts the use, records the account and posts the entry, in one
 * commit. Even with concurrent attempts, no code is redeemed more often than its batch allows, nor
 * twice by one account, and no account redeems more codes of a batch than allowed.
 */
export async function redeemCode(store: Store, redeemer: Redeemer): Promise<Redemption> {
  const { digest, accountId, nowMs } = redeemer;
  return await untilCommitted<Redemption>(codeKind.name, async () => {
    const [codeEntry, use] = await getEntries(store, [
      keys.redemptionCode(digest),
      keys.redemptionUse(digest, accountId),
    ]);
    if (use.value !== null) return { type: "repeated", atMs: usedAtMs(use.value) };
    if (codeEntry.value === null) return { type: "unusable", cause: "unknown" };
    const code = decodeRecord(codeKind, codeEntry.value);
    const [batchEntry, count] = await getEntries(store, [
      keys.redemptionBatch(code.batchId),
      keys.redemptionsOfAccount(code.batchId, accountId),
    ]);
    if (batchEntry.value === null) return { type: "unusable", cause: "unknown" };
    const batch = decodeRecord(batchKind, batchEntry.value);
    const cause = faultOf(code, batch, nowMs);
    if (cause) return { type: "unusable", cause };
    const { perAccountMax } = batch;
    const redeemed = countIn(count.value);
    if (perAccountMax !== undefined && redeemed >= perAccountMax) {
      return { type: "limited", perAccountMax };
    }
    const operation = store.kv.atomic().check(codeEntry, use, batchEntry, count)
      .set(count.key, redeemed + 1)
      .set(codeEntry.key, encodeRecord(codeKind, { ...code, used: code.used + 1 }))
      .set(use.key, { atMs: nowMs });
    const added = await addEntries(store, operation, [draftOf(code, batch, redeemer)]);
    if (added.type !== "added") return undefined;
    const [{ entry }] = added.entries;
    addAuditEntry(operation, redeemer.audit?.(entry));
    return (await operation.commit()).ok ? { type: "redeemed", entry } : undefined;
  });
}

/**
 * The idempotency key of a use, so that the ledger posts it once even if all other records were
 * lost.
 */
export function redemptionKey(digest: string, accountId: string): string {
  return `redemption:${digest}:${accountId}`;
}

function faultOf(
  code: RedemptionCode,
  batch: RedemptionBatch,
  nowMs: number,
): RedemptionFault | undefined {
  if (!code.enabled || !batch.enabled) return "disabled";
  if (batch.expiresAtMs !== undefined && batch.expiresAtMs <= nowMs) return "expired";
  return code.used >= batch.usesMax ? "used up" : undefined;
}

function draftOf(
  { prefix, lastFour, batchId }: RedemptionCode,
  { amountNanoUsd }: RedemptionBatch,
  { digest, accountId, nowMs }: Redeemer,
): EntryDraft {
  return {
    atMs: nowMs,
    accountId,
    type: "redemption",
    changeNanoUsd: amountNanoUsd,
    reason: `Code ${prefix}…${lastFour}`,
    actor: accountId,
    reference: batchId,
    idempotencyKey: redemptionKey(digest, accountId),
  };
}

function countIn(value: unknown): number {
  return value === null ? 0 : value as number; // only redeemCode writes it
}

function usedAtMs(value: unknown): number {
  return (value as { readonly atMs: number }).atMs; // only redeemCode writes it
}
