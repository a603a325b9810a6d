import { z } from "zod";
import { totalInputTokens, totalOutputTokens } from "../canonical/mod.ts";
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
import { getApiKey } from "../store/api_keys/mod.ts";
import type { Store } from "../store/mod.ts";
import { invalidField, ManagementError } from "./http/error.ts";
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
import { emailsOf } from "./names.ts";
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
  name: z.string().describe("The name of a key, the e-mail address of a user; of others, their ID"),
  user_id: z.string().nullable().describe("The owner of a key"),
  user_email: z.string().nullable().describe("The address of that owner"),
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

/** The figures that rows can be sorted by. */
const sorts = {
  cost: ({ costNanoUsd }) => costNanoUsd,
  margin: (counts) => marginOf(counts).marginNanoUsd,
  requests: ({ requests }) => BigInt(requests),
  failures: ({ failures }) => BigInt(failures),
  input_tokens: (counts) => BigInt(totalInputTokens(counts)),
  output_tokens: (counts) => BigInt(totalOutputTokens(counts)),
} as const satisfies Record<string, (counts: Counts) => bigint>;

const sort = Object.keys(sorts) as (keyof typeof sorts)[]; // the table's own keys

const query = pageQuery.extend({
  by: z.enum(by).default("total").describe("The dimension of the sums"),
  sort: z.enum(sort).default("cost").describe("The figure whose highest values come first"),
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
      "Add up calls, tokens and cost by key, user, group, project, tag, model or upstream, highest cost first",
    scope: "usage:read",
    query,
    answer,
  }, async (call) => {
    const { store } = call.state.services;
    const period = periodOf(call);
    const all = await usageBySubject(store, subjectsIn(call.query), period);
    const { rows, next_cursor } = await cursorPage(all, highestFirst(call), call);
    const names = await namesOf(store, rows);
    const series = await seriesOf(call, rows, period);
    return {
      body: {
        from: timeText(period.fromMs),
        to: timeText(Math.min(period.toMs, timeMsMax)),
        data: rows.map((one, at) => ({
          ...rowJson(one, names),
          ...(series && { points: series[at].map(pointJson) }),
        })),
        next_cursor,
      },
    };
  }),
];

function subjectsIn({ by, user_id: userId, key_id: keyId, tag_key: tagKey }: Query) {
  if ((tagKey !== undefined) !== (by === "tag")) {
    const fault = by === "tag" ? "by=tag needs tag_key, such as tag_key=team" : "needs by=tag";
    throw new ManagementError("invalid_request", fault, { param: "tag_key" });
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

/** Sorts by a figure, highest first, then by the number of calls, then by name. */
function highestFirst({ query: { sort } }: ManagementCall<Query>) {
  const fallen = (figure: bigint) => String(10n ** 30n - figure).padStart(31, "0");
  return ({ subject: { scope, value }, counts }: SubjectUsage) =>
    [fallen(sorts[sort](counts)), fallen(BigInt(counts.requests)), scope, value].join(" ");
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

function rowJson(
  { subject: { dimension, scope, value }, counts }: SubjectUsage,
  { keys, emails }: Awaited<ReturnType<typeof namesOf>>,
) {
  const owner = dimension === "key" ? scope : null;
  return {
    id: value,
    name: keys.get(value) ?? emails.get(value) ?? value,
    user_id: owner,
    user_email: owner === null ? null : emails.get(owner) ?? null,
    ...countsJson(counts),
  };
}

/** The names of keys, and the addresses of users and owners; deleted ones have none. */
async function namesOf(store: Store, rows: readonly SubjectUsage[]) {
  const of = (dimension: RollupDimension) =>
    rows.map(({ subject }) => subject).filter((one) => one.dimension === dimension);
  const [keys, users] = [of("key"), of("account")];
  const owners = [...keys.map(({ scope }) => scope), ...users.map(({ value }) => value)];
  const [found, emails] = await Promise.all([
    Promise.all(keys.map(({ value }) => getApiKey(store, value))),
    emailsOf(store, owners),
  ]);
  return { keys: new Map(found.flatMap((one) => one ? [[one.id, one.name]] : [])), emails };
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
