import {
  addAuditEntry,
  type AuditDraft,
  type AuditOptions,
  type ChangeOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { collection } from "../kv/collection.ts";
import { changeRecord, decodeRecord, encodeRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

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

export const batchKind: Kind<RedemptionBatch> = { name: "redemption batch", version: 1 };

export const codeKind: Kind<RedemptionCode> = { name: "redemption code", version: 1 };

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
