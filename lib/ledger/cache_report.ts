import {
  type CacheAdvice,
  cacheAdviceFor,
  type CacheMiss,
  cacheWriteTokens,
} from "../canonical/mod.ts";
import type { ApiKey } from "../store/api_keys/mod.ts";
import { type CallSession, listRequestLogs, type RequestLogRow } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import type { Counts } from "../store/usage/mod.ts";

/** The misses of caches in a session, and the one setting that helps. */
export interface CacheReport {
  /** The latest calls that missed a cache, newest first. */
  readonly misses: readonly MissedCall[];
  /** Absent if caches serve. */
  readonly advice?: CacheAdvice;
}

interface MissedCall extends RequestLogRow {
  readonly cacheMiss: CacheMiss;
}

const missesMax = 20;
/** Fewer calls may not have had a chance to read. */
const callsMin = 3;

/** A busy key has other sessions between the calls of this one. */
const searchBounds = { rowsMax: 20_000, ms: 300 } as const;

/** Reads the log only if the counts of the session, or of its sub-agent, show misses or unread writes. */
export async function cacheReport(
  store: Store,
  { id: keyId }: Pick<ApiKey, "id">,
  { id, agent }: Pick<CallSession, "id" | "agent">,
  counts: Counts,
): Promise<CacheReport> {
  const isUnread = counts.requests >= callsMin && counts.cacheReadTokens === 0 &&
    cacheWriteTokens(counts) > 0;
  if (counts.cacheMisses === 0 && !isUnread) return { misses: [] };
  const tag = agent === undefined ? id : `${id}/${agent}`;
  const missed = counts.cacheMisses > 0;
  const limit = missed ? missesMax : 1;
  const query = { keyId, tag, ...(missed && { missed }), limit };
  const { rows } = await listRequestLogs(store, query, searchBounds);
  const misses = rows.filter(isMissed);
  const [last] = rows;
  return {
    misses,
    ...(last && { advice: cacheAdviceFor(usualOf(misses), last) }),
  };
}

function isMissed(row: RequestLogRow): row is MissedCall {
  return row.cacheMiss !== undefined;
}

/** The most frequent cause; undefined without misses. */
function usualOf(misses: readonly MissedCall[]): CacheMiss | undefined {
  const groups = [...Map.groupBy(misses, ({ cacheMiss }) => cacheMiss)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
