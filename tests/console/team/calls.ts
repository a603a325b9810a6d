import { noUsage } from "../../../lib/canonical/mod.ts";
import type { ApiKey } from "../../../lib/store/api_keys/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { nowMs } from "../people.ts";
import { teamKeys } from "./keys.ts";
import { formatOf, type TeamModel, teamModels } from "./models.ts";
import { type OutcomeName, outcomes } from "./outcomes.ts";
import { teamUsers } from "./people.ts";
import { type Random, randomOf } from "./random.ts";

/** Calls come in sessions: several with one key and one model in less than an hour. */
const sessionCount = 396;
const callsPerSession = 5;
const sessionPauseMs = 4 * 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const days = 30;
/** The newest calls, in the last hour, of which every third is the same failure. */
const lastHourCalls = 20;

const agents = [
  "claude-cli/2.1.329 (external, cli)",
  "OpenAI/Python 2.9.0",
  "codex_cli_rs/0.64.0 (Mac OS 26.1.0; arm64)",
  "ai-sdk/openai/3.0.4 ai-sdk/provider-utils/4.0.1 runtime/node.js/24",
] as const;
export const teamTags = [
  "team=core",
  "team=growth",
  "team=support",
  "product=mobile",
  "product=website",
  "cost-center=EMEA-4711-shared-services-and-infrastructure",
] as const;

/** 2,000 calls of 30 days, newest first: the same in every run. */
export const teamCalls: readonly RequestLogRow[] = callsOf(randomOf(20_261_121));

interface Draft {
  readonly ageMs: number;
  readonly key: ApiKey;
  readonly model: TeamModel;
  /** The way in which it ends, if that is not by chance. */
  readonly ends?: OutcomeName;
}

function callsOf(random: Random): RequestLogRow[] {
  const sessions = Array.from({ length: sessionCount }, () => sessionOf(random)).flat();
  return [...lastHour(random), ...sessions]
    .sort((one, other) => one.ageMs - other.ageMs)
    .map((draft, number) => callOf(draft, number, random));
}

function lastHour(random: Random): Draft[] {
  return Array.from({ length: lastHourCalls }, (_, n) => {
    const key = keyOf(random);
    const ageMs = 20_000 + n * 170_000;
    if (n % 3 !== 1) return { ageMs, key, model: modelOf(key, random) };
    return { ageMs, key, model: modelNamed("gpt-5-mini"), ends: "rateLimited" };
  });
}

function sessionOf(random: Random): Draft[] {
  const startMs = ageOf(random);
  const key = keyOf(random);
  const model = modelOf(key, random);
  return Array.from({ length: callsPerSession }, (_, n) => {
    const ageMs = Math.round(startMs - (n + random.next()) * sessionPauseMs);
    return { ageMs, key, model };
  });
}

/** Most calls are in working hours; nights and weekends have a few. */
function ageOf(random: Random): number {
  for (;;) {
    const ageMs = 2 * hourMs + random.next() * (days * dayMs - 2 * hourMs);
    const at = new Date(nowMs - ageMs);
    const busy = at.getUTCHours() >= 7 && at.getUTCHours() < 18;
    const weekend = at.getUTCDay() % 6 === 0;
    if (random.next() < (busy ? 1 : 0.2) * (weekend ? 0.3 : 1)) return ageMs;
  }
}

function keyOf(random: Random): ApiKey {
  return teamKeys[Math.floor(teamKeys.length * random.next() ** 2.2)];
}

function callOf(draft: Draft, number: number, random: Random): RequestLogRow {
  const { ageMs, key, model, ends = outcomeOf(random) } = draft;
  const base = { ...answered(model, random), ...spenderOf(key), ...callIdAt(ageMs, number) };
  return { ...base, ...(ends && outcomes[ends].of(model)) };
}

/** Each key has a few models of its own, the first of them for most calls. */
function modelOf({ id }: ApiKey, random: Random): TeamModel {
  const number = Number(id.slice(-3));
  const own = [number, number * 7 + 3, number * 11 + 9].map((one) => one % teamModels.length);
  return teamModels[own[Math.min(Math.floor(random.next() * 4), 2)]];
}

function modelNamed(name: string): TeamModel {
  const found = teamModels.find(({ id }) => id === name);
  if (!found) throw new Error(`The team has no model ${name}`);
  return found;
}

function outcomeOf(random: Random): OutcomeName | undefined {
  let left = random.below(1_000);
  for (const [name, { share }] of Object.entries(outcomes)) {
    left -= share;
    if (left < 0) return name as OutcomeName; // a key of the table
  }
}

function spenderOf({ id, name, groupId, accountId }: ApiKey) {
  const owner = teamUsers.findIndex((user) => user.id === accountId);
  const projectId = teamUsers[owner].projectId;
  return {
    keyId: id,
    keyName: name,
    groupId,
    accountId,
    ...(projectId && { projectId }),
    ...(owner % 2 === 0 && { tags: [teamTags[owner % teamTags.length], teamTags[3]] }),
    userAgent: agents[owner % agents.length],
    ip: `203.0.113.${owner + 1}`,
  };
}

function answered(model: TeamModel, random: Random) {
  const inputTokens = random.between(300, 240_000);
  const outputTokens = random.between(20, 12_000);
  const isEmbedding = model.rates?.[1] === 0 && model.id.includes("embed");
  const firstByteMs = random.between(120, 4_000);
  return {
    model: model.id,
    upstreamId: model.upstreamId,
    upstreamModel: model.id,
    format: formatOf(model),
    upstreamFormat: formatOf(model),
    operation: isEmbedding ? "embed" as const : "generate" as const,
    stream: !isEmbedding && random.next() < 0.8,
    status: 200,
    outcome: "completed" as const,
    usage: { ...noUsage, inputTokens, outputTokens: isEmbedding ? 0 : outputTokens },
    usageSource: "upstream" as const,
    firstByteMs,
    durationMs: firstByteMs + (isEmbedding ? 20 : outputTokens * 9),
    ...costOf(model, { inputTokens, outputTokens: isEmbedding ? 0 : outputTokens }),
  };
}

function costOf({ rates }: TeamModel, tokens: { inputTokens: number; outputTokens: number }) {
  if (!rates) return {};
  const nanoUsd = (count: number, perMillion: number) =>
    BigInt(Math.round(count * perMillion * 1e3));
  const costLines = [
    {
      bucket: "inputTokens",
      quantity: tokens.inputTokens,
      nanoUsd: nanoUsd(tokens.inputTokens, rates[0]),
    },
    {
      bucket: "outputTokens",
      quantity: tokens.outputTokens,
      nanoUsd: nanoUsd(tokens.outputTokens, rates[1]),
    },
  ].filter(({ quantity }) => quantity > 0);
  return { costLines, costNanoUsd: costLines.reduce((sum, line) => sum + line.nanoUsd, 0n) };
}
