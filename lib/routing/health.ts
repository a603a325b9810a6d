import { isDeepStrictEqual } from "node:util";
import { BoundedMap } from "../bounded_map.ts";
import type { ErrorCode } from "../canonical/mod.ts";
import type { Candidate, Upstream } from "../upstreams/upstream.ts";
import {
  type AttemptHandle,
  type AttemptWatch,
  type EnteredScopes,
  type Entry,
  type OpenedBreaker,
  type Rules,
  unwatched,
  WatchedAttempt,
} from "./attempt_handle.ts";
import { Breaker, Cooldown } from "./breaker.ts";
import {
  type HealthStatus,
  healthStatusOf,
  type HealthTarget,
  healthTargetNames,
  healthTargetOf,
  healthy,
  Observation,
  type ObservedHealth,
  observedName,
  scopes,
  type State,
  unobserved,
  worseStatus,
} from "./health_status.ts";

/** The health facts that routing reads. */
export interface HealthView {
  status(candidate: Candidate, nowMs: number): HealthStatus;
  observed(candidate: Candidate, nowMs: number): ObservedHealth;
}

/**
 * The health of an upstream, one of its credentials, or a model by one credential, for the console
 * and the metrics.
 */
export interface HealthRow extends HealthTarget {
  readonly state: State;
  /** The end of the open or cooling state, in epoch milliseconds. */
  readonly untilMs?: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Recently ended calls, and the number of failed ones. */
  readonly windowCalls: number;
  readonly windowFailures: number;
  readonly lastError?: { readonly code: ErrorCode; readonly atMs: number };
  readonly isProbing?: true;
  /** Observations of a model, over all credentials. */
  readonly observed?: ObservedHealth;
}

/**
 * The health of upstreams, credentials and models, judged by this isolate's calls. In memory and
 * bounded: the least recently called targets are dropped first. A model inside the gateway is
 * always healthy.
 */
export class Health implements HealthView {
  readonly #watch: AttemptWatch;
  readonly #now: () => number;
  readonly #entries: BoundedMap<string, Entry>;
  readonly #observations: BoundedMap<string, Observation>;
  /** The number of running attempts by upstream, without zeros. */
  readonly #running = new Map<string, number>();

  /** `now` returns epoch milliseconds; `onOpened` is called for every breaker that opens. */
  constructor(
    options: HealthOptions,
    now: () => number,
    onOpened: (opened: OpenedBreaker) => void = () => {},
  ) {
    this.#now = now;
    this.#entries = new BoundedMap(options.healthEntriesMax);
    this.#observations = new BoundedMap(options.healthEntriesMax);
    this.#watch = {
      now,
      rules: rulesOf(options),
      take: (candidate, scope) =>
        this.#entries.getOrInsert(healthTargetNames(candidate)[scope], () => ({
          target: healthTargetOf(candidate, scope),
          breaker: new Breaker(options.breakerWindowMs),
          cooldown: new Cooldown(),
        })),
      observation: (candidate) =>
        this.#observations.getOrInsert(
          healthTargetNames(candidate).observed,
          () => new Observation(),
        ),
      onOpened,
      onOver: ({ upstream }) => this.#count(upstream.id, -1),
    };
  }

  status(candidate: Candidate, nowMs: number): HealthStatus {
    let status = healthy;
    if (this.#entries.size === 0 || isInside(candidate)) return status;
    const names = healthTargetNames(candidate);
    for (const scope of scopes) {
      const entry = this.#entries.get(names[scope]);
      const own = entry ? healthStatusOf(entry, nowMs) : healthy;
      if (own !== healthy) status = worseStatus(status, own);
    }
    return status;
  }

  observed(candidate: Candidate, nowMs: number): ObservedHealth {
    return this.#observations.get(healthTargetNames(candidate).observed)?.at(nowMs) ?? unobserved;
  }

  /** Admits an attempt; undefined while `probesMax` probes of one of its targets are running. */
  begin(candidate: Candidate, probesMax = 1): AttemptHandle | undefined {
    if (isInside(candidate)) return unwatched;
    const nowMs = this.#now();
    const names = healthTargetNames(candidate);
    const entered: EnteredScopes = {};
    for (const scope of scopes) {
      const entry = this.#entries.get(names[scope]);
      if (!entry) continue;
      const { breaker } = entry;
      if (breaker.state(nowMs) !== "closed" && breaker.probes >= probesMax) return undefined;
      entered[scope] = { entry, way: "call" };
    }
    for (const scope of scopes) {
      const each = entered[scope];
      if (each) each.way = each.entry.breaker.enter(nowMs);
    }
    this.#count(candidate.upstream.id, 1);
    return new WatchedAttempt(candidate, entered, this.#watch);
  }

  /** The running attempts at an upstream in this isolate, from call to end of answer. */
  running(upstreamId: string): number {
    return this.#running.get(upstreamId) ?? 0;
  }

  /** Forgets an upstream's failures, for example after an administrator changed it. */
  forget(upstreamId: string): void {
    this.#entries.deleteWhere(({ target }) => target.upstreamId === upstreamId);
  }

  /** All known targets, by upstream, credential and model. */
  snapshot(): readonly HealthRow[] {
    const nowMs = this.#now();
    return this.#entries.values().map((entry) => this.#row(entry, nowMs))
      .sort((a, b) => (rowName(a) < rowName(b) ? -1 : 1));
  }

  #count(upstreamId: string, change: 1 | -1): void {
    const running = (this.#running.get(upstreamId) ?? 0) + change;
    if (running > 0) this.#running.set(upstreamId, running);
    else this.#running.delete(upstreamId);
  }

  #row(entry: Entry, nowMs: number): HealthRow {
    const { target, breaker } = entry;
    const { state, untilMs, isProbing } = healthStatusOf(entry, nowMs);
    const { calls, failures } = breaker.recent(nowMs);
    const observed = this.#observations.peek(observedName(target))?.at(nowMs);
    return {
      ...target,
      state,
      ...(untilMs !== undefined && { untilMs }),
      failures: breaker.failures,
      windowCalls: calls,
      windowFailures: failures,
      ...(breaker.last && { lastError: { code: breaker.last.code, atMs: breaker.last.atMs } }),
      ...(isProbing && { isProbing }),
      ...(observed && { observed }),
    };
  }
}

function rulesOf(options: HealthOptions): Rules {
  return {
    failures: {
      failuresMax: options.breakerFailuresMax,
      windowFailuresMax: options.breakerWindowFailuresMax,
      openMs: options.breakerOpenMs,
      openMsMax: options.breakerOpenMsMax,
    },
    refusals: {
      failuresMax: 1,
      windowFailuresMax: 1,
      openMs: options.credentialOutMs,
      openMsMax: options.credentialOutMsMax,
    },
    cooldown: options,
  };
}

/** The built-in model is always healthy: it cannot fail, and callers may request errors from it. */
function isInside({ upstream }: Candidate): boolean {
  return upstream.answer !== undefined;
}

function rowName({ upstreamId, credentialId = "", model = "" }: HealthTarget): string {
  return `${upstreamId} ${credentialId} ${model}`;
}

/** The settings of `Health`, from the configuration's `limits`. */
export interface HealthOptions {
  /** Failures in a row that open a breaker. */
  readonly breakerFailuresMax: number;
  /** Failures within `breakerWindowMs` that open it, when at least half of the calls failed. */
  readonly breakerWindowFailuresMax: number;
  readonly breakerWindowMs: number;
  /** The first open period. */
  readonly breakerOpenMs: number;
  readonly breakerOpenMsMax: number;
  /** The default pause, if the upstream sends no time. */
  readonly cooldownMs: number;
  readonly cooldownMsMax: number;
  /** The first pause of a refused credential. */
  readonly credentialOutMs: number;
  readonly credentialOutMsMax: number;
  /** The most tracked upstreams, models and credentials. */
  readonly healthEntriesMax: number;
}

/**
 * Returns the same upstreams, and calls `onChange` for each that changed since the last read, so
 * that its health can be reset. A list keeps its identity until it changes.
 */
export function withChanges(
  upstreams: () => readonly Upstream[],
  onChange: (upstreamId: string) => void,
): () => readonly Upstream[] {
  const known = { list: upstreams() };
  return () => {
    const list = upstreams();
    if (list === known.list) return list;
    const byId = new Map(list.map((upstream) => [upstream.id, upstream]));
    for (const before of known.list) {
      if (!isDeepStrictEqual(byId.get(before.id), before)) onChange(before.id);
    }
    known.list = list;
    return list;
  };
}
