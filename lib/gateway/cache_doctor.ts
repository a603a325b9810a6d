import { BoundedMap } from "../bounded_map.ts";
import {
  type CacheMiss,
  cacheWriteTokens,
  totalInputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { PromptParts } from "../formats/codec.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { atOnceMax, lengthOf } from "../json/mod.ts";
import { type RequestLogRow, sessionText } from "../store/log/mod.ts";
import {
  type Fingerprint,
  fingerprintOf,
  firstDifference,
  isRelated,
} from "./prompt_fingerprint.ts";

/** A prompt that an upstream cached. */
interface CachedPrompt extends Pick<RequestLogRow, "model" | "upstreamModel" | "upstreamId"> {
  readonly credentialId: string | undefined;
  /** Absent for a prompt that is too long to compare. */
  readonly fingerprint: Fingerprint | undefined;
  readonly tokens: number;
  /** The time from which later calls may read it: the start of its answer. */
  readonly readyAtMs: number;
  readonly lifetimeMs: number;
}

type CachingRow = RequestLogRow & Required<Pick<RequestLogRow, "session" | "usage">>;

/** The sessions with sub-agents and request classes that are remembered. */
const lanesMax = 1_000;
/** The prompts of each: an agent's, and those of calls that name no class, such as titles. */
const promptsMax = 4;
/** Vendors cache no shorter prompts. */
const tokensMin = 1_024;
const minuteMs = 60_000;
const shortestMs = 5 * minuteMs;

/**
 * Finds out why calls of a session miss the caches of upstreams. Remembers hashes of prompts in this
 * isolate's memory, and no content.
 */
export class CacheDoctor {
  readonly #lanes = new BoundedMap<string, readonly CachedPrompt[]>(lanesMax);

  /**
   * Returns the row, with the cause if the call missed a cache. Reads `prompt` at once only then, else
   * once the current task gives way: while the row is stored.
   */
  examined(row: RequestLogRow, prompt: () => PromptParts | undefined): RequestLogRow {
    if (!isCaching(row)) return row;
    const lane = `${row.keyId} ${sessionText(row.session)}`;
    const known = this.#lanes.get(lane) ?? [];
    if (known.length === 0 && cachedTokens(row.usage) === 0) return row;
    if (!known.some((before) => isMissed(before, row))) {
      queueMicrotask(() => this.#remember(lane, row, fingerprintIn(prompt)));
      return row;
    }
    const fingerprint = fingerprintIn(prompt);
    const before = this.#remember(lane, row, fingerprint);
    return before && isMissed(before, row)
      ? { ...row, cacheMiss: causeOf(before, row, fingerprint) }
      : row;
  }

  /** Puts a call's prompt in the place of the one that it continues, which is returned. */
  #remember(
    lane: string,
    row: CachingRow,
    fingerprint: Fingerprint | undefined,
  ): CachedPrompt | undefined {
    const known = this.#lanes.get(lane) ?? [];
    const before = known.find((one) =>
      !fingerprint || !one.fingerprint || isRelated(one.fingerprint, fingerprint)
    );
    const others = known.filter((one) => one !== before);
    this.#lanes.set(lane, [cachedPrompt(row, fingerprint, before), ...others].slice(0, promptsMax));
    return before;
  }
}

/** The cached parts of a call's prompt; undefined if reading them would delay other calls. */
export function promptOf(
  { codec }: Pick<Call, "codec">,
  decoded: Decoded | undefined,
): PromptParts | undefined {
  if (!decoded || lengthOf(decoded.read) > atOnceMax) return undefined;
  return codec.promptParts(decoded.wire.body);
}

/** The gateway's own counts do not know caches. */
function isCaching(row: RequestLogRow): row is CachingRow {
  return row.session !== undefined && row.usage !== undefined && row.usageSource === "upstream";
}

/** A malformed prompt has no fingerprint: the finding is only for the log. */
function fingerprintIn(prompt: () => PromptParts | undefined): Fingerprint | undefined {
  try {
    const parts = prompt();
    return parts && fingerprintOf(parts);
  } catch {
    return undefined;
  }
}

function cachedTokens(usage: Usage): number {
  return usage.cacheReadTokens + cacheWriteTokens(usage);
}

/** A caller's missed tokens are cached again, although not every vendor says so. */
function cachedPrompt(
  row: CachingRow,
  fingerprint: Fingerprint | undefined,
  before: CachedPrompt | undefined,
): CachedPrompt {
  const { model, upstreamModel, upstreamId, usage, atMs, durationMs, firstByteMs } = row;
  return {
    model,
    upstreamModel,
    upstreamId,
    credentialId: credentialOf(row),
    fingerprint,
    tokens: cachedTokens(usage) || Math.min(before?.tokens ?? 0, totalInputTokens(usage)),
    readyAtMs: atMs + (firstByteMs ?? durationMs),
    lifetimeMs: lifetimeOf(usage) ?? before?.lifetimeMs ?? shortestMs,
  };
}

/** The shortest lifetime of what a call wrote. */
function lifetimeOf(usage: Usage): number | undefined {
  if (usage.cacheWrite5mTokens > 0) return shortestMs;
  if (usage.cacheWrite1hTokens > 0) return 60 * minuteMs;
  return usage.cacheWrite12hTokens > 0 ? 12 * 60 * minuteMs : undefined;
}

function credentialOf({ attempts }: RequestLogRow): string | undefined {
  return attempts?.at(-1)?.credentialId;
}

/** Returns true if the call read less than half of what it could have. */
function isMissed({ tokens, readyAtMs }: CachedPrompt, { usage, atMs }: CachingRow): boolean {
  const expected = Math.min(tokens, totalInputTokens(usage));
  return expected >= tokensMin && usage.cacheReadTokens * 2 < expected && atMs >= readyAtMs;
}

/** A cache that has expired explains more than a change at the prompt's end. */
function causeOf(
  before: CachedPrompt,
  row: CachingRow,
  fingerprint: Fingerprint | undefined,
): CacheMiss {
  if (row.model !== before.model || row.upstreamModel !== before.upstreamModel) return "model";
  if (row.upstreamId !== before.upstreamId || credentialOf(row) !== before.credentialId) {
    return "upstream";
  }
  const difference = fingerprint && before.fingerprint &&
    firstDifference(before.fingerprint, fingerprint);
  const isOld = row.atMs > before.readyAtMs + before.lifetimeMs;
  if (isOld && (difference?.sharedPart ?? 1) >= 0.5) return "expired";
  return difference?.block ?? "unknown";
}
