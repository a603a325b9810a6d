import type { ApiKey } from "../store/api_keys/mod.ts";
import type { CallSession } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import {
  addCounts,
  type Counts,
  eachSessionHour,
  noCounts,
  type RollupPoint,
  type SessionHour,
  sessionsPerKeyMax,
} from "../store/usage/mod.ts";
import type { ModelUsage } from "./key_usage.ts";

/** A session of a key in the last 30 days. */
export interface SessionSummary {
  readonly id: string;
  /** The starts of its first and its last hour with calls. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly counts: Counts;
}

/** The calls of a sub-agent, of a request class, or of both; without either, all others. */
interface SessionPart extends Omit<CallSession, "id"> {
  readonly counts: Counts;
}

/** An hour of a session. */
interface SessionPoint extends RollupPoint<Counts> {
  /** The calls of the main agent, which are also in `sum`. */
  readonly main: Counts;
}

/** The usage of one session. Parts and models are ordered by cost, and each add up to `counts`. */
export interface SessionUsage {
  readonly counts: Counts;
  /** The calls of the main agent. */
  readonly turns: number;
  /** Oldest first, without hours that have no calls. */
  readonly hours: readonly SessionPoint[];
  readonly parts: readonly SessionPart[];
  readonly models: readonly ModelUsage[];
}

type KeyId = Pick<ApiKey, "id">;

/** The sessions of a key, the last used first: as many as are kept from one day to the next. */
export async function keySessions(store: Store, key: KeyId): Promise<SessionSummary[]> {
  await compactRows(store);
  let found: SessionSummary[] = [];
  for await (const { id, atMs, sum } of eachSessionHour(store, key.id)) {
    const known = found.at(-1)?.id === id ? found.pop() : undefined; // a session's hours are in a row
    if (!known && found.length >= 2 * sessionsPerKeyMax) found = lastUsed(found);
    const { firstAtMs, lastAtMs, counts } = known ??
      { firstAtMs: atMs, lastAtMs: atMs, counts: noCounts };
    found.push({
      id,
      firstAtMs: Math.min(firstAtMs, atMs),
      lastAtMs: Math.max(lastAtMs, atMs),
      counts: addCounts(counts, sum),
    });
  }
  return lastUsed(found);
}

function lastUsed(sessions: SessionSummary[]): SessionSummary[] {
  return sessions.sort((a, b) => b.lastAtMs - a.lastAtMs).slice(0, sessionsPerKeyMax);
}

/** The most sub-agents with classes, and models, that are listed by name: callers can name any number. */
const namesMax = 1_000;

/**
 * The usage of a session of a key, or of one sub-agent of it; without calls if there is no such
 * session.
 */
export async function sessionUsage(
  store: Store,
  key: KeyId,
  { id, agent }: Pick<CallSession, "id" | "agent">,
): Promise<SessionUsage> {
  await compactRows(store);
  const hours = new Map<number, SessionPoint>();
  const parts = new Map<string, SessionPart>();
  const models = new Map<string, ModelUsage>();
  for await (const hour of eachSessionHour(store, key.id, id)) {
    if (agent !== undefined && hour.agent !== agent) continue;
    const { agent: own, requestClass, model, sum } = hour;
    hours.set(hour.atMs, pointWith(hours.get(hour.atMs), hour));
    addTo(parts, { ...(own && { agent: own }), ...(requestClass && { requestClass }) }, sum);
    addTo(models, { ...(model && { model }) }, sum);
  }
  const points = [...hours.values()].sort((a, b) => a.atMs - b.atMs);
  return {
    counts: points.reduce((all, { sum }) => addCounts(all, sum), noCounts),
    turns: points.reduce((all, { main }) => all + main.requests, 0),
    hours: points,
    parts: dearestFirst(parts),
    models: dearestFirst(models),
  };
}

/** The sum of an hour with one more sum of it. */
function pointWith(
  { sum, main }: Pick<SessionPoint, "sum" | "main"> = { sum: noCounts, main: noCounts },
  { atMs, agent, sum: more }: SessionHour,
): SessionPoint {
  return {
    atMs,
    sum: addCounts(sum, more),
    main: agent === undefined ? addCounts(main, more) : main,
  };
}

interface Counted {
  readonly counts: Counts;
}

/** Adds to the sum of a name; beyond `namesMax`, to that without a name. */
function addTo<Sum extends Counted>(
  sums: Map<string, Sum | Counted>,
  name: Omit<Sum, "counts">,
  more: Counts,
): void {
  const text = JSON.stringify(name);
  const [place, kept] = sums.has(text) || sums.size < namesMax ? [text, name] : ["{}", {}];
  const counts = addCounts(sums.get(place)?.counts ?? noCounts, more);
  sums.set(place, { ...kept, counts });
}

function dearestFirst<Sum extends Counted>(sums: ReadonlyMap<string, Sum>): Sum[] {
  return [...sums.values()]
    .sort((a, b) => Number(b.counts.costNanoUsd - a.counts.costNanoUsd));
}
