import { z } from "zod";
import {
  pointsOfEach,
  type SubjectUsage,
  usageBySubject,
  type UsagePeriod,
  usageStepsMax,
} from "../ledger/mod.ts";
import {
  type Counts,
  marginOf,
  type RollupDimension,
  type RollupPoint,
} from "../store/usage/mod.ts";
import { invalidField } from "./http/error.ts";
import { type ManagementCall, operation } from "./http/operation.ts";
import { cursorPage, pageQuery } from "./http/page.ts";
import {
  idInput,
  moneyAnswer,
  moneyText,
  namedObject,
  timeAnswer,
  timeInput,
  timeMsMax,
  timeText,
} from "./http/schema.ts";
import { tokenCounts, tokenCountsJson } from "./token_counts.ts";

export const counts = {
  requests: z.number().int(),
  failures: z.number().int(),
  ...tokenCounts,
  cache_misses: z.number().int().describe("Calls of sessions that missed a cache"),
  cache_saving: moneyAnswer.describe(
    "The cost of the same calls without caches, minus their cost",
  ),
  hosted_tool_calls: z.number(),
  cost: moneyAnswer,
  uncovered_cost: moneyAnswer.describe("Beyond what could be charged"),
  upstream_cost: moneyAnswer.describe("The cost of the calls for the operator"),
  margin: moneyAnswer.describe("`cost` minus `upstream_cost`"),
};

const row = namedObject("UsageRow", {
  id: z.string().describe("The ID of the key, user and so on; the model's name; the tag's value"),
  user_id: z.string().nullable().describe("The owner of a key"),
  ...counts,
  points: z.array(z.object({ at: timeAnswer, ...counts })).optional()
    .describe("With `step`: the steps with calls, in order"),
});

const answer = namedObject("UsageReport", {
  from: timeAnswer,
  to: timeAnswer,
  data: z.array(row),
  next_cursor: z.string().nullable(),
});

/** The dimensions of the sums that each `by` ranks. */
const dimensions = {
  total: "all",
  key: "key",
  user: "account",
  group: "group",
  model: "model",
  upstream: "upstream",
  project: "project",
  tag: "tag",
} as const satisfies Record<string, RollupDimension>;

const by = Object.keys(dimensions) as (keyof typeof dimensions)[]; // the table's own keys

const query = pageQuery.extend({
  by: z.enum(by).default("total").describe("The dimension of the sums"),
  step: z.enum(["hour", "day"]).optional().describe("Adds the sums of each UTC hour or day"),
  from: timeInput.optional().describe(
    "Default: 30 days ago. Rounded down to a UTC hour, or day with `step=day`",
  ),
  to: timeInput.optional().describe("Exclusive; default: now. Rounded up likewise"),
  user_id: idInput.optional().describe("With `by=key` or `by=model`: only this user's calls"),
  key_id: idInput.optional().describe("With `by=model`: only this key's calls"),
  tag_key: idInput.optional().describe("With `by=tag`: the values of this tag key; required"),
});
type Query = z.output<typeof query>;

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const usualDays = 30;

/** Sums of calls, from the rollups. */
export const usageOperations = [
  operation("GET /usage", {
    summary:
      "Add up calls, tokens and cost by key, user, group, project, tag, model or upstream, dearest first",
    scope: "usage:read",
    query,
    answer,
  }, async (call) => {
    const { store } = call.state.services;
    const period = periodOf(call);
    const all = await usageBySubject(store, subjectsIn(call.query), period);
    const { rows, next_cursor } = await cursorPage(all, dearestFirst, call);
    const series = await seriesOf(call, rows, period);
    return {
      body: {
        from: timeText(period.fromMs),
        to: timeText(Math.min(period.toMs, timeMsMax)),
        data: rows.map((one, at) => ({
          ...rowJson(one),
          ...(series && { points: series[at].map(pointJson) }),
        })),
        next_cursor,
      },
    };
  }),
];

function subjectsIn({ by, user_id: userId, key_id: keyId, tag_key: tagKey }: Query) {
  if ((tagKey !== undefined) !== (by === "tag")) {
    throw invalidField("tag_key", "needs by=tag, which needs it");
  }
  if (userId !== undefined && by !== "key" && by !== "model") {
    throw invalidField("user_id", "needs by=key or by=model");
  }
  if (keyId !== undefined && by !== "model") throw invalidField("key_id", "needs by=model");
  if (keyId !== undefined) {
    if (userId !== undefined) throw invalidField("key_id", "needs no user_id beside it");
    return { dimension: "keyModel", scope: keyId } as const;
  }
  if (by === "key") return { dimension: "key", scope: userId } as const;
  return { dimension: dimensions[by], scope: userId ?? tagKey ?? "" };
}

function periodOf({ query: { from, to, step }, state: { nowMs } }: ManagementCall<Query>) {
  const unitMs = step === "day" ? dayMs : hourMs;
  const toMs = Math.ceil((to ?? nowMs + 1) / unitMs) * unitMs;
  const fromMs = Math.floor((from ?? Math.max(toMs - usualDays * dayMs, 0)) / unitMs) * unitMs;
  if (fromMs >= toMs) throw invalidField("from", "must be before to");
  if (step === undefined || toMs - fromMs <= usageStepsMax * unitMs) return { fromMs, toMs };
  throw invalidField(
    "from",
    `at most ${usageStepsMax} steps fit in one answer; choose a later time`,
  );
}

/** Sorts by cost, then by the number of calls, then by name. */
function dearestFirst({ subject: { scope, value }, counts }: SubjectUsage): string {
  const cost = String(10n ** 30n - counts.costNanoUsd).padStart(31, "0");
  const calls = String(1e15 - counts.requests).padStart(16, "0");
  return `${cost} ${calls} ${scope} ${value}`;
}

async function seriesOf(
  { query: { step }, state: { services } }: ManagementCall<Query>,
  rows: readonly SubjectUsage[],
  period: UsagePeriod,
): Promise<readonly (readonly RollupPoint<Counts>[])[] | undefined> {
  if (step === undefined) return undefined;
  return await pointsOfEach(
    services.store,
    rows.map(({ subject }) => subject),
    [{ ...period, step }],
  );
}

function pointJson({ atMs, sum }: RollupPoint<Counts>) {
  return { at: timeText(atMs), ...countsJson(sum) };
}

function rowJson({ subject: { dimension, scope, value }, counts }: SubjectUsage) {
  return { id: value, user_id: dimension === "key" ? scope : null, ...countsJson(counts) };
}

export function countsJson(counts: Counts) {
  const { upstreamNanoUsd, marginNanoUsd } = marginOf(counts);
  return {
    requests: counts.requests,
    failures: counts.failures,
    ...tokenCountsJson(counts),
    cache_misses: counts.cacheMisses,
    cache_saving: moneyText(counts.cacheSavedNanoUsd),
    hosted_tool_calls: counts.hostedToolCalls,
    cost: moneyText(counts.costNanoUsd),
    uncovered_cost: moneyText(counts.uncoveredNanoUsd),
    upstream_cost: moneyText(upstreamNanoUsd),
    margin: moneyText(marginNanoUsd),
  };
}
