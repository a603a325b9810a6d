import { z } from "zod";
import { batchStatus, createCodes, enableBatch, enableCode, shownCode } from "../admin/funds.ts";
import type { BatchResult } from "../funds/mod.ts";
import {
  getRedemptionBatch,
  listRedemptionBatches,
  type RedemptionBatch,
  type RedemptionCode,
  redemptionCodesOf,
} from "../store/money/mod.ts";
import { invalidField, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiReply,
  currentCheck,
  type ManagementCall,
  operation,
  switches,
} from "./http/operation.ts";
import { creationOrder, listSchema, pageQuery, pageReply } from "./http/page.ts";
import {
  moneyAnswer,
  moneyInput,
  moneyText,
  namedObject,
  optionalTime,
  timeAnswer,
  timeInput,
  timeText,
} from "./http/schema.ts";

const batchFields = {
  id: z.string(),
  name: z.string(),
  amount: moneyAnswer.describe("The amount that each use of a code credits"),
  count: z.int().describe("The number of codes"),
  uses_max: z.int().describe("The number of accounts that may redeem each code"),
  per_account_max: z.int().nullable().describe("The codes that one account may redeem"),
  expires_at: timeAnswer.nullable(),
  status: z.enum(["enabled", "disabled", "expired"]),
  created_at: timeAnswer,
  created_by: z.string().describe("The ID of the administrator"),
};
const batch = namedObject("CodeBatch", batchFields);
const batchWithCodes = namedObject("CodeBatchWithCodes", {
  ...batchFields,
  codes: z.array(z.string()).describe("Shown only in this answer"),
});
const code = namedObject("Code", {
  id: z.string(),
  hint: z.string().describe("The code's beginning and end"),
  used: z.int().describe("The number of accounts that have redeemed it"),
  enabled: z.boolean(),
});

const whole = z.int().min(1);
const newBatch = z.strictObject({
  name: z.string().max(200),
  amount: moneyInput,
  count: whole.default(1),
  uses_max: whole.default(1),
  per_account_max: whole.nullable().optional(),
  expires_at: timeInput.nullable().optional(),
});

/** Creates, lists, enables and disables redemption codes. */
export const codeOperations = [
  operation("GET /codes", {
    summary: "List batches of redemption codes, newest first",
    scope: "codes:read",
    query: pageQuery,
    answer: listSchema(batch),
  }, async (call) => {
    const batches = await listRedemptionBatches(call.state.services.store);
    return await pageReply(batches, creationOrder, call, (one) => batchJson(one, call));
  }),
  operation("POST /codes", {
    summary: "Create a batch of redemption codes",
    scope: "codes:write",
    body: newBatch,
    answer: batchWithCodes,
    status: 201,
  }, async (call) => {
    const { name, amount, count, uses_max, per_account_max, expires_at } = call.body;
    const result = await createCodes({
      name,
      amountNanoUsd: amount,
      count,
      usesMax: uses_max,
      ...(typeof per_account_max === "number" && { perAccountMax: per_account_max }),
      ...(typeof expires_at === "number" && { expiresAtMs: expires_at }),
    }, call);
    const { batch, codes } = createdIn(result);
    return { body: { ...batchJson(batch, call), codes: [...codes] }, record: batch };
  }),
  operation("GET /codes/{id}", {
    summary: "Read a batch of redemption codes",
    scope: "codes:read",
    answer: batch,
  }, async (call) => replyWith(await batchAt(call), call)),
  operation("GET /codes/{id}/codes", {
    summary: "List the codes of a batch, masked, with their uses",
    scope: "codes:read",
    query: pageQuery,
    answer: listSchema(code),
  }, async (call) => {
    const { id } = await batchAt(call);
    const codes = await Array.fromAsync(redemptionCodesOf(call.state.services.store, id));
    return await pageReply(codes, ({ digest }) => digest, call, codeJson);
  }),
  ...switches("/codes/{id}", {
    summaries: {
      enable: "Enable a batch",
      disable: "Disable a batch: its codes cannot be redeemed; past redemptions keep their money",
    },
    scope: "codes:write",
    answer: batch,
    errors: ["object_changed"],
  }, async (call, enabled) => {
    const found = await batchAt(call);
    await enableBatch(found, enabled, call, currentCheck(call));
    return replyWith(await batchAt(call), call);
  }),
  ...switches("/codes/{id}/codes/{code}", {
    summaries: { enable: "Enable a code", disable: "Disable a code" },
    scope: "codes:write",
    answer: code,
  }, async (call, enabled) => {
    const found = await batchAt(call);
    const digest = /^[0-9a-f]{64}$/.exec(call.params.code)?.[0];
    const changed = digest && await enableCode(found, { digest, enabled }, call);
    if (!changed) throw notFound("code", call.params.code);
    return { body: codeJson(changed) };
  }),
];

async function batchAt({ params: { id }, state }: ManagementCall): Promise<RedemptionBatch> {
  const found = await getRedemptionBatch(state.services.store, id);
  if (found) return found;
  throw notFound("batch of codes", id);
}

const params = {
  name: "name",
  amount: "amount",
  count: "count",
  uses: "uses_max",
  perAccount: "per_account_max",
  expiry: "expires_at",
} as const satisfies Record<Extract<BatchResult, { type: "invalid" }>["field"], string>;

function createdIn(result: BatchResult): Extract<BatchResult, { type: "created" }> {
  switch (result.type) {
    case "created":
      return result;
    case "invalid":
      throw invalidField(params[result.field], result.message);
    case "forbidden":
      throw new ManagementError("scope_missing", result.message);
    default:
      return result satisfies never;
  }
}

function replyWith(found: RedemptionBatch, call: ManagementCall): ApiReply<z.output<typeof batch>> {
  return { body: batchJson(found, call), record: found };
}

function batchJson(
  found: RedemptionBatch,
  { state: { nowMs } }: Pick<ManagementCall, "state">,
): z.output<typeof batch> {
  const isExpired = found.expiresAtMs !== undefined && found.expiresAtMs <= nowMs;
  return {
    id: found.id,
    name: found.name,
    amount: moneyText(found.amountNanoUsd),
    count: found.count,
    uses_max: found.usesMax,
    per_account_max: found.perAccountMax ?? null,
    expires_at: optionalTime(found.expiresAtMs),
    status: batchStatus({ ...found, isExpired }),
    created_at: timeText(found.createdAtMs),
    created_by: found.createdBy,
  };
}

function codeJson(found: RedemptionCode): z.output<typeof code> {
  return {
    id: found.digest,
    hint: shownCode(found),
    used: found.used,
    enabled: found.enabled,
  };
}
