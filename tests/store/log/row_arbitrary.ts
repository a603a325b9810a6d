import fc from "fast-check";
import { formatNames, noUsage } from "../../../lib/canonical/mod.ts";
import { type Attempt, type RequestLogRow, requestOutcomes } from "../../../lib/store/log/mod.ts";

/** The hour in which arbitrary rows begin, and a few hours more. */
export const baseMs = Date.UTC(2026, 10, 21, 8);
const hourMs = 3_600_000;
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The id of the nth call that began then: as the gateway makes them, but the same on every run. */
export function requestIdOf(atMs: number, n: number): string {
  return `req_${base32(atMs, 10)}${base32(n, 16)}`;
}

function base32(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) {
    text = alphabet[rest % 32] + text;
  }
  return text;
}

/** Rows of few accounts, keys, models and upstreams over three hours, each with an id of its own. */
export function anyRows(options: fc.ArrayConstraints): fc.Arbitrary<RequestLogRow[]> {
  return fc.array(anyRow(), options).map((rows) =>
    rows.map((row, n) => ({ ...row, id: requestIdOf(row.atMs, n) }))
  );
}

function anyRow(): fc.Arbitrary<RequestLogRow> {
  return fc.tuple(anyCaller(), anyFate(), fc.record(facts, { requiredKeys: [...required] }))
    .map(([caller, fate, known]) => ({ id: "", ...known, ...caller, ...fate }));
}

const required = ["atMs", "model", "format", "operation", "stream", "durationMs"] as const;

const facts = {
  atMs: fc.integer({ min: baseMs, max: baseMs + 3 * hourMs }),
  model: fc.constantFrom("m", "acme/large:free", "模型 𝄞"),
  format: fc.constantFrom(...formatNames),
  operation: fc.constant("generate" as const),
  stream: fc.boolean(),
  durationMs: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constant(900_000)),
  firstByteMs: fc.integer({ min: 0, max: 5_000 }),
  userAgent: fc.string({ unit: "binary", maxLength: 40 }),
  ip: fc.ipV4(),
  socket: fc.constantFrom("ws_0123456789ab", "ws_0123456789ab/main"),
  replayOf: fc.constantFrom("req_00000000000000000000000000"),
  notes: fc.array(fc.record({
    path: fc.string({ maxLength: 20 }),
    action: fc.constantFrom("dropped" as const, "clamped" as const),
    reason: fc.string({ unit: "grapheme", maxLength: 40 }),
  })),
};

/** A key belongs to one account and one group. */
function anyCaller() {
  return fc.integer({ min: 0, max: 5 }).map((n) => ({
    keyId: `key_${n}`,
    keyName: `key ${n}`,
    accountId: `account_${n % 3}`,
    groupId: `group_${n % 2}`,
    ...(n % 3 > 0 && { projectId: `project_${n % 3}` }),
    ...(n > 3 && { tags: ["team=a", `feature=${n}`] }),
    ...(n > 2 && { session: { id: `session-${n % 2}`, ...(n > 4 && { agent: "a" }) } }),
  }));
}

/** The outcome of a call: most reach an upstream and report usage. */
function anyFate() {
  const answered = fc.record({
    status: fc.constant(200),
    outcome: fc.constantFrom("completed" as const, "truncated" as const, "client_gone" as const),
    upstreamId: fc.constantFrom("acme", "other"),
    upstreamModel: fc.constantFrom("large", "small"),
    usageSource: fc.constantFrom("upstream" as const, "counted" as const),
    usage: anyUsage(),
    cacheMiss: fc.constantFrom("system" as const, "tool 7" as const, "expired" as const),
    statedUsage: anyUsage(),
    countedUsage: anyUsage(),
    attempts: fc.array(anyAttempt(), { maxLength: 8 }),
    costNanoUsd: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    upstreamCost: fc.record({
      nanoUsd: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      isStated: fc.constant(true as const),
    }, { requiredKeys: ["nanoUsd"] }),
    costLines: fc.array(fc.record({
      bucket: fc.constantFrom("input", "output"),
      quantity: fc.nat(),
      nanoUsd: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      savedNanoUsd: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      tier: fc.constantFrom("fast", "fast us"),
      part: fc.constantFrom("compaction", "claude-haiku-4-5"),
    }, { requiredKeys: ["bucket", "quantity", "nanoUsd"] })),
  });
  const failed = fc.record({
    status: fc.constantFrom(400, 404, 429, 502, 504),
    outcome: fc.constantFrom(...requestOutcomes),
    errorCode: fc.constantFrom("upstream_error", "model_not_found"),
    errorType: fc.constantFrom("server_error", "invalid_request_error, unsupported_value"),
    errorMessage: fc.string({ unit: "grapheme", maxLength: 40 }),
    upstreamId: fc.constant("acme"),
  });
  const refused = fc.record({
    status: fc.constantFrom(402, 403, 429),
    outcome: fc.constant("refused" as const),
    uncoveredNanoUsd: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    tag: fc.constantFrom("nightly", "夜"),
    refusedBy: fc.record({
      name: fc.constant("key daily budget"),
      kind: fc.constant("money" as const),
      limit: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      remaining: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      resetsAtMs: fc.nat(),
      timeZone: fc.constant("Asia/Shanghai"),
    }, { requiredKeys: ["name", "kind", "remaining"] }),
  });
  return fc.oneof({ arbitrary: answered, weight: 4 }, failed, refused);
}

function anyAttempt(): fc.Arbitrary<Attempt> {
  return fc.record({
    upstreamId: fc.constantFrom("acme", "other"),
    credentialId: fc.constantFrom("7692c3ad", "3fc4ccfe"),
    upstreamModel: fc.constantFrom("large", "模型 𝄞"),
    upstreamFormat: fc.constantFrom(...formatNames),
    startedAfterMs: fc.nat({ max: 300_000 }),
    durationMs: fc.nat({ max: 120_000 }),
    status: fc.constantFrom(200, 429, 503),
    outcome: fc.constantFrom(...requestOutcomes),
    errorCode: fc.constantFrom("upstream_error", "rate_limit_exceeded"),
    errorType: fc.constantFrom("server_error", "requests"),
    errorMessage: fc.string({ unit: "grapheme", maxLength: 40 }),
  }, { requiredKeys: ["upstreamId", "upstreamModel", "startedAfterMs", "durationMs", "outcome"] });
}

function anyUsage() {
  const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000_000 }));
  return fc.record({
    inputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWrite5mTokens: tokens,
    outputTokens: tokens,
    reasoningTokens: tokens,
    cacheWrite12hTokens: tokens,
    hostedToolCalls: fc.dictionary(fc.constantFrom("web-search", "code"), fc.nat({ max: 9 })),
    servedTier: fc.constantFrom("fast", "standard"),
    servedRegion: fc.constantFrom("us", "global"),
  }, {
    requiredKeys: [
      "inputTokens",
      "cacheReadTokens",
      "cacheWrite5mTokens",
      "outputTokens",
      "reasoningTokens",
      "cacheWrite12hTokens",
      "hostedToolCalls",
    ],
  }).map((used) => ({ ...noUsage, ...used }));
}

/** Every text as long as a hostile caller can make it, out of one that repeats. */
export function hostileFields(piece: string): Partial<RequestLogRow> {
  const long = piece.repeat(300_000);
  const hostedToolCalls = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [`${n}${long}`, 1]),
  );
  const usage = {
    ...noUsage,
    hostedToolCalls,
    servedTier: long,
    servedRegion: long,
    native: { format: "messages", fields: { long } },
  } as const;
  return {
    keyName: long,
    model: long,
    upstreamModel: long,
    upstreamId: long,
    errorCode: long,
    errorType: long,
    errorMessage: long,
    userAgent: long,
    ip: long,
    notes: Array.from({ length: 500 }, () => ({ path: long, action: "dropped", reason: long })),
    costLines: Array.from({ length: 500 }, () => ({
      bucket: long,
      quantity: 1,
      nanoUsd: 1n,
      tier: long,
      part: long,
    })),
    attempts: Array.from({ length: 500 }, () => ({
      upstreamId: long,
      credentialId: long,
      upstreamModel: long,
      upstreamFormat: "messages",
      startedAfterMs: 300_000,
      durationMs: 120_000,
      status: 503,
      outcome: "upstream_error",
      errorCode: long,
      errorType: long,
      errorMessage: long,
    })),
    usage,
    statedUsage: usage,
    countedUsage: usage,
  };
}
