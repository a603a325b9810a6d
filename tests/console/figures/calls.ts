import { noUsage } from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { type Random, randomOf } from "../team/random.ts";
import type { TeamKey, TeamSize } from "./size.ts";

/** More than the six rows that a breakdown shows. */
export const modelNames = Array.from({ length: 9 }, (_, n) => `model-${n}`);
export const upstreamIds = Array.from({ length: 7 }, (_, n) => `upstream-${n}`);
export const groupIds = ["default", "coding", "batch"] as const;
/** A call may have a tag of each key. */
const tagKeys = ["env", "team"] as const;
const valuesPerTag = 8;
export const tagTexts = tagKeys.flatMap((key) =>
  Array.from({ length: valuesPerTag }, (_, n) => `${key}=value-${n}`)
);

const hourMs = 3_600_000;

/** Calls of whole sessions, a tenth of them in the last hour, oldest first. */
export function rowsOf(
  keys: readonly TeamKey[],
  { calls, days, callsPerSession }: TeamSize,
): RequestLogRow[] {
  const random = randomOf(20_261_130);
  const drafts: { readonly ageMs: number; readonly key: TeamKey; readonly model: string }[] = [];
  while (drafts.length < calls) {
    const key = random.pick(keys);
    const model = random.pick(modelNames);
    const isRecent = drafts.length < calls / 10;
    const startMs = isRecent ? hourMs : hourMs + random.next() * (days * 24 - 1) * hourMs;
    for (let n = 0; n < callsPerSession && drafts.length < calls; n++) {
      drafts.push({
        ageMs: Math.ceil(startMs * (1 - random.next() * (isRecent ? 1 : 0.01))),
        key,
        model,
      });
    }
  }
  return drafts.sort((a, b) => b.ageMs - a.ageMs)
    .map(({ ageMs, key, model }, n) => rowOf({ ...callIdAt(ageMs, n), key, model }, random));
}

interface Draft extends Pick<RequestLogRow, "id" | "atMs" | "model"> {
  readonly key: TeamKey;
}

function rowOf({ id, atMs, model, key }: Draft, random: Random): RequestLogRow {
  const { projectId, id: accountId } = key.owner;
  const tags = tagKeys.filter((_, n) => random.next() < 0.6 - n * 0.2)
    .map((name) => `${name}=value-${Math.floor(valuesPerTag * random.next() ** 2)}`);
  return {
    ...{ id, atMs, accountId, keyId: key.id, keyName: key.name, groupId: key.groupId, model },
    ...(projectId !== undefined && { projectId }),
    ...(tags.length > 0 && { tags }),
    format: "chat-completions",
    operation: "generate",
    stream: random.next() < 0.5,
    ...outcomeOf(random, model),
  };
}

type Outcome = Omit<
  RequestLogRow,
  "id" | "atMs" | "accountId" | "keyId" | "keyName" | "groupId" | "format" | "operation" | "stream"
>;

/** Nine of ten calls succeed. The others end in each way that calls can. */
function outcomeOf(random: Random, model: string): Outcome {
  if (random.next() < 0.88) {
    return { ...answered(random, model), status: 200, outcome: "completed" };
  }
  return random.pick(failures)(random, model);
}

type Ends = (random: Random, model: string) => Outcome;

const failures: readonly Ends[] = [
  failing(502, "upstream_error"),
  failing(529, "upstream_overloaded"),
  failing(429, "rate_limit_exceeded"),
  failing(401, "upstream_unauthorized"),
  failing(400, "context_length_exceeded"),
  (random, model) => ({ ...failing(504, "upstream_timeout")(random, model), outcome: "timeout" }),
  (random, model) => ({
    ...answered(random, model),
    ...{ status: 200, outcome: "truncated", errorCode: "upstream_truncated" },
  }),
  (random, model) => ({
    ...answered(random, model),
    ...{ status: 499, outcome: "client_gone", errorCode: "client_closed" },
  }),
  refusing(429, "rate_limit_exceeded", "key requests per minute"),
  refusing(402, "insufficient_quota", "key monthly budget"),
  refusing(403, "model_not_allowed"),
  () => ({ ...refusing(404, "model_not_found")(randomOf(1), "no-such-model") }),
];

function answered(random: Random, model: string): Outcome & { readonly costNanoUsd: bigint } {
  const costNanoUsd = BigInt(random.between(9_000, 400_000_000));
  const isCached = random.next() < 0.4;
  const savedNanoUsd = isCached ? costNanoUsd / 3n : undefined;
  const firstByteMs = random.between(80, 4_000);
  return {
    ...{ model, upstreamModel: model, upstreamFormat: "chat-completions" },
    upstreamId: upstreamIds[random.below(upstreamIds.length)],
    ...{ status: 200, outcome: "completed" },
    usage: {
      ...noUsage,
      inputTokens: random.between(10, 90_000),
      outputTokens: random.between(5, 9_000),
      ...(isCached && {
        cacheReadTokens: random.between(1_000, 200_000),
        cacheWrite5mTokens: random.between(10, 20_000),
        reasoningTokens: random.between(10, 5_000),
      }),
    },
    usageSource: "upstream",
    costNanoUsd,
    costLines: [{ bucket: "inputTokens", quantity: 1, nanoUsd: costNanoUsd, savedNanoUsd }],
    ...(random.next() < 0.1 && { upstreamCost: { nanoUsd: costNanoUsd * 8n / 10n } }),
    ...(random.next() < 0.02 && { uncoveredNanoUsd: 777_777n }),
    ...(random.next() < 0.03 && { cacheMiss: "expired" as const }),
    ...{ firstByteMs, durationMs: firstByteMs + random.between(100, 60_000) },
  };
}

/** Tried at an upstream, and then at a second one. */
function failing(status: number, errorCode: string): Ends {
  return (random, model) => {
    const [first, second] = [random.pick(upstreamIds), random.pick(upstreamIds)];
    const attempts = [first, second].map((upstreamId) => ({
      ...{ upstreamId, upstreamModel: model, upstreamFormat: "chat-completions" as const },
      ...{ startedAfterMs: 2, durationMs: 200, status, errorCode },
      outcome: "upstream_error" as const,
    }));
    return {
      ...{ model, upstreamId: second, status, errorCode, attempts, durationMs: 410 },
      outcome: "upstream_error",
    };
  };
}

function refusing(status: number, errorCode: string, limit?: string): Ends {
  return (_random, model) => ({
    ...{ model, status, errorCode, outcome: "refused", durationMs: 3 },
    ...(limit !== undefined && {
      refusedBy: {
        name: limit,
        kind: limit.includes("budget") ? "money" as const : "requests" as const,
        limit: 600n,
        remaining: 0n,
      },
    }),
  });
}
