import {
  addAuditEntry,
  type AuditDraft,
  type AuditOptions,
  type ChangeOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { collection } from "../kv/collection.ts";
import { readInBatches } from "../kv/engine.ts";
import { changeRecord, decodeRecord, encodeRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { LedgerEntry } from "./ledger_entry.ts";
import { addEntries, type EntryDraft } from "./ledger_entry_post.ts";

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
    const [codeEntry, use] = await readInBatches(store.kv, [
      keys.redemptionCode(digest),
      keys.redemptionUse(digest, accountId),
    ]);
    if (use.value !== null) return { type: "repeated", atMs: usedAtMs(use.value) };
    if (codeEntry.value === null) return { type: "unusable", cause: "unknown" };
    const code = decodeRecord(codeKind, codeEntry.value);
    const [batchEntry, count] = await readInBatches(store.kv, [
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

/** Codes that were created together and have the same value. */
export interface RedemptionBatch {
  readonly id: string;
  /** A name for administrators, such as `Spring workshop`. */
  readonly name: string;
  /** The amount that each use of a code credits, in nano-dollars. */
  readonly amountNanoUsd: bigint;
  /** The number of codes. */
  readonly count: number;
  /** The number of accounts that may redeem each code, once each. */
  readonly usesMax: number;
  /** The number of its codes that one account may redeem; absent means any number. */
  readonly perAccountMax?: number;
  readonly expiresAtMs?: number;
  readonly enabled: boolean;
  readonly createdAtMs: number;
  /** The id of the administrator. */
  readonly createdBy: string;
}

/** A redemption code, found by its digest. Its batch holds the amount. */
export interface RedemptionCode {
  /** SHA-256 of the code in its canonical spelling, in hexadecimal. */
  readonly digest: string;
  readonly batchId: string;
  /** Its first characters, by which people recognize it. */
  readonly prefix: string;
  readonly lastFour: string;
  /** The number of accounts that have redeemed it. */
  readonly used: number;
  readonly enabled: boolean;
}

const batchKind: Kind<RedemptionBatch> = { name: "redemption batch", version: 1 };

const codeKind: Kind<RedemptionCode> = { name: "redemption code", version: 1 };

/** A commit takes 80 KiB of keys, and a code has two keys of about 100 bytes. */
const codesPerCommit = 200;

/**
 * Writes a batch and its codes. Codes cannot be redeemed until all are written, so a batch whose
 * creation was interrupted stays disabled. The commit that enables the batch adds the audit entry.
 */
export async function createRedemptionBatch(
  store: Store,
  batch: RedemptionBatch,
  codes: readonly RedemptionCode[],
  { audit }: AuditOptions = {},
): Promise<void> {
  const key = keys.redemptionBatch(batch.id);
  await store.kv.set(key, encodeRecord(batchKind, { ...batch, enabled: false }));
  for (let start = 0; start < codes.length; start += codesPerCommit) {
    const operation = store.kv.atomic();
    for (const code of codes.slice(start, start + codesPerCommit)) {
      operation
        .set(keys.redemptionCode(code.digest), encodeRecord(codeKind, code))
        .set(keys.redemptionCodeOfBatch(batch.id, code.digest), true);
    }
    await operation.commit();
  }
  const operation = store.kv.atomic().set(key, encodeRecord(batchKind, batch));
  await addAuditEntry(operation, audit).commit();
}

const batches = collection(batchKind, { all: keys.redemptionBatches, at: keys.redemptionBatch });

export const getRedemptionBatch = batches.get;

/** Lists all batches, newest first. */
export async function listRedemptionBatches(store: Store): Promise<RedemptionBatch[]> {
  return (await batches.list(store)).sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/** Returns undefined if there is no such batch. The amount of its codes never changes. */
export function updateRedemptionBatch(
  store: Store,
  id: string,
  changes: Partial<Pick<RedemptionBatch, "name" | "enabled" | "expiresAtMs">>,
  options?: Pick<ChangeOptions<RedemptionBatch>, "audit">,
): Promise<RedemptionBatch | undefined> {
  return batches.update(store, id, (current) => ({ ...current, ...changes }), options);
}

/** Disables or enables one code. Returns undefined if there is none with that digest. */
export function setRedemptionCodeEnabled(
  store: Store,
  digest: string,
  { enabled, audit }: {
    readonly enabled: boolean;
    readonly audit?: (code: RedemptionCode) => AuditDraft;
  },
): Promise<RedemptionCode | undefined> {
  const key = keys.redemptionCode(digest);
  return changeRecord(store, { kind: codeKind, key }, (current, operation) => {
    const code = { ...current, enabled };
    operation.set(key, encodeRecord(codeKind, code));
    addAuditEntry(operation, audit?.(code));
    return code;
  });
}

/** Streams the codes of a batch, in the order of their digests. */
export async function* redemptionCodesOf(
  store: Store,
  batchId: string,
): AsyncGenerator<RedemptionCode> {
  const selector = { prefix: keys.redemptionCodesOfBatch(batchId) };
  let digests: string[] = [];
  for await (const { key } of store.kv.list(selector, { batchSize: 500 })) {
    digests.push(String(key.at(-1)));
    if (digests.length < codesPerCommit) continue;
    yield* await codesOf(store, digests);
    digests = [];
  }
  yield* await codesOf(store, digests);
}

/**
 * Streams all codes, each with the number of accounts recorded as having redeemed it. For audits.
 */
export async function* allRedemptionCodes(
  store: Store,
): AsyncGenerator<{ readonly code: RedemptionCode; readonly accountIds: readonly string[] }> {
  const prefix = keys.redemptionCodes;
  for await (const { value } of store.kv.list({ prefix }, { batchSize: 500 })) {
    const code = decodeRecord(codeKind, value);
    const accountIds: string[] = [];
    for await (const { key } of store.kv.list({ prefix: keys.redemptionUsesOf(code.digest) })) {
      accountIds.push(String(key.at(-1)));
    }
    yield { code, accountIds };
  }
}

async function codesOf(store: Store, digests: readonly string[]): Promise<RedemptionCode[]> {
  const found = await getRecords(store, codeKind, digests.map(keys.redemptionCode));
  return found.filter((code) => code !== undefined);
}
