import { may } from "../accounts/mod.ts";
import { csvLine, hasHidden, usdText } from "../canonical/mod.ts";
import type { AuditDraft, ChangeOptions } from "../store/audit/mod.ts";
import { digestOf, newId, type Store } from "../store/mod.ts";
import {
  createRedemptionBatch,
  getRedemptionBatch,
  type RedemptionBatch,
  type RedemptionCode,
  redemptionCodesOf,
  setRedemptionCodeEnabled,
  updateRedemptionBatch,
} from "../store/money/mod.ts";
import type { User } from "../store/users/mod.ts";
import { entryNanoUsdMax } from "./grants.ts";
import { newRedemptionCode, readRedemptionCode, visibleParts } from "./redemption.ts";

/** The fields of a new batch that the administrator chooses. */
export type BatchDraft = Pick<
  RedemptionBatch,
  "name" | "amountNanoUsd" | "count" | "usesMax" | "perAccountMax" | "expiresAtMs"
>;

/** The result of creating a batch of codes; `message` is shown to the administrator. */
export type BatchResult =
  /** The codes in plain text, available only here: the store keeps their digests. */
  | {
    readonly type: "created";
    readonly batch: RedemptionBatch;
    readonly codes: readonly string[];
  }
  | {
    readonly type: "invalid";
    readonly field: "name" | "amount" | "count" | "uses" | "perAccount" | "expiry";
    readonly message: string;
  }
  | Forbidden;

interface Forbidden {
  readonly type: "forbidden";
  readonly message: string;
}

type Invalid = Extract<BatchResult, { type: "invalid" }>;

const nameLengthMax = 100;
const usesMaxMax = 1_000_000;

/** Creates a batch and its codes. Invalid input is returned as `invalid`, not thrown. */
export async function createBatch(
  store: Store,
  administrator: User,
  draft: BatchDraft,
  { nowMs, codesMax, audit }: {
    readonly nowMs: number;
    readonly codesMax: number;
    readonly audit?: (batch: RedemptionBatch) => AuditDraft;
  },
): Promise<BatchResult> {
  if (!may(administrator, "codes:write")) return forbidden;
  const name = draft.name.trim();
  const fault = faultOf({ ...draft, name }, nowMs, codesMax);
  if (fault) return fault;
  const batch: RedemptionBatch = {
    ...draft,
    name,
    id: newId("batch"),
    enabled: true,
    createdAtMs: nowMs,
    createdBy: administrator.id,
  };
  const codes = Array.from({ length: batch.count }, newRedemptionCode);
  const records = codes.map((code) => recordOf(code, batch.id));
  await createRedemptionBatch(store, batch, records, { audit: audit?.(batch) });
  return { type: "created", batch, codes };
}

/**
 * Enables or disables a batch. The codes of a disabled batch cannot be redeemed; past redemptions
 * keep their money. Returns undefined if the batch does not exist.
 */
export async function setBatchEnabled(
  store: Store,
  administrator: User,
  { batchId, enabled, audit }: {
    readonly batchId: string;
    readonly enabled: boolean;
    readonly audit?: ChangeOptions<RedemptionBatch>["audit"];
  },
): Promise<RedemptionBatch | Forbidden | undefined> {
  if (!may(administrator, "codes:write")) return forbidden;
  return await updateRedemptionBatch(store, batchId, { enabled }, { audit });
}

/** Enables or disables one code, by its digest. Returns undefined if it does not exist. */
export async function setCodeEnabled(
  store: Store,
  administrator: User,
  { digest, enabled, audit }: {
    readonly digest: string;
    readonly enabled: boolean;
    readonly audit?: (code: RedemptionCode) => AuditDraft;
  },
): Promise<RedemptionCode | Forbidden | undefined> {
  if (!may(administrator, "codes:write")) return forbidden;
  return await setRedemptionCodeEnabled(store, digest, { enabled, audit });
}

/**
 * Streams a batch as CSV (RFC 4180) with a header line: each code masked, its number of
 * redemptions and whether it can be redeemed. Returns undefined if the batch does not exist.
 */
export async function exportBatch(
  store: Store,
  administrator: User,
  batchId: string,
): Promise<AsyncGenerator<string> | Forbidden | undefined> {
  if (!may(administrator, "codes:write")) return forbidden;
  const batch = await getRedemptionBatch(store, batchId);
  return batch && linesOf(store, batch);
}

async function* linesOf(store: Store, batch: RedemptionBatch): AsyncGenerator<string> {
  const { id, amountNanoUsd, usesMax, expiresAtMs } = batch;
  const expiry = expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString();
  const amount = usdText(amountNanoUsd).slice(1);
  yield csvLine(["batch", "code", "amount_usd", "used", "uses_max", "enabled", "expires_at"]);
  for await (const { prefix, lastFour, used, enabled } of redemptionCodesOf(store, id)) {
    const usable = enabled && batch.enabled;
    yield csvLine([id, `${prefix}…${lastFour}`, amount, used, usesMax, usable, expiry]);
  }
}

function recordOf(text: string, batchId: string): RedemptionCode {
  const code = readRedemptionCode(text) ?? text; // newRedemptionCode writes what readRedemptionCode reads
  return { digest: digestOf(code), batchId, ...visibleParts(code), used: 0, enabled: true };
}

function faultOf(
  { name, amountNanoUsd, count, usesMax, perAccountMax, expiresAtMs }: BatchDraft,
  nowMs: number,
  codesMax: number,
): Invalid | undefined {
  if (name === "" || name.length > nameLengthMax || hasHidden(name)) {
    return invalid("name", `Enter a name of 1 to ${nameLengthMax} visible characters`);
  }
  if (amountNanoUsd <= 0n || amountNanoUsd > entryNanoUsdMax) {
    return invalid("amount", `Enter an amount above $0, at most ${usdText(entryNanoUsdMax)}`);
  }
  if (!isCount(count, codesMax)) return invalid("count", `Enter a number from 1 to ${codesMax}`);
  if (!isCount(usesMax, usesMaxMax)) {
    return invalid("uses", `Enter a number from 1 to ${usesMaxMax}`);
  }
  if (perAccountMax !== undefined && !isCount(perAccountMax, codesMax)) {
    return invalid("perAccount", `Enter a number from 1 to ${codesMax}, or leave the field empty`);
  }
  if (expiresAtMs === undefined || expiresAtMs > nowMs) return undefined;
  return invalid("expiry", "Enter a future time, or leave the field empty");
}

function isCount(value: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= max;
}

function invalid(field: Invalid["field"], message: string): Invalid {
  return { type: "invalid", field, message };
}

const forbidden = {
  type: "forbidden",
  message: "Only administrators may manage redemption codes",
} as const satisfies Forbidden;
