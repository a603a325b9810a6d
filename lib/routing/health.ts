import { BoundedMap } from "../bounded_map.ts";
import type { ErrorCode } from "../canonical/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import {
  type AttemptHandle,
  type Entered,
  type Entry,
  type Opened,
  type Rules,
  unwatched,
  WatchedAttempt,
} from "./attempt_handle.ts";
import { Breaker } from "./breaker.ts";
import { Cooldown } from "./cooldown.ts";
import type { HealthOptions } from "./health_options.ts";
import { type HealthStatus, healthStatusOf, healthy, type State, worst } from "./health_status.ts";
import {
  type HealthTarget,
  healthTargetNames,
  healthTargetOf,
  observedName,
  type Scope,
  scopes,
} from "./health_target.ts";
import { Observation, type Observed, unobserved } from "./observation.ts";

/** The health facts that routing reads. */
export interface HealthView {
  status(candidate: Candidate, nowMs: number): HealthStatus;
  observed(candidate: Candidate, nowMs: number): Observed;
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
  /** True while a probe is running. */
  readonly isProbing?: true;
  /** Observations of a model, over all credentials. */
  readonly observed?: Observed;
}

/**
 * The health of upstreams, credentials and models, judged by this isolate's calls. In memory and
 * bounded: the least recently called targets are dropped first. A model inside the gateway is
 * always healthy.
 */
export class Health implements HealthView {
  readonly #options: HealthOptions;
  readonly #rules: Rules;
  readonly #now: () => number;
  readonly #entries: BoundedMap<string, Entry>;
  readonly #observations: BoundedMap<string, Observation>;
  /** The number of running attempts by upstream, without zeros. */
  readonly #running = new Map<string, number>();
  readonly #onOpened: (opened: Opened) => void;

  /** `now` returns epoch milliseconds; `onOpened` is called for every breaker that opens. */
  constructor(
    options: HealthOptions,
    now: () => number,
    onOpened: (opened: Opened) => void = () => {},
  ) {
    this.#onOpened = onOpened;
    this.#options = options;
    this.#rules = rulesOf(options);
    this.#now = now;
    this.#entries = new BoundedMap(options.healthEntriesMax);
    this.#observations = new BoundedMap(options.healthEntriesMax);
  }

  status(candidate: Candidate, nowMs: number): HealthStatus {
    let status = healthy;
    for (const { entry } of this.#known(candidate)) {
      const own = healthStatusOf(entry, nowMs);
      if (own !== healthy) status = worst(status, own);
    }
    return status;
  }

  observed(candidate: Candidate, nowMs: number): Observed {
    return this.#observations.get(healthTargetNames(candidate).observed)?.at(nowMs) ?? unobserved;
  }

  /** Admits an attempt; undefined while `probesMax` probes of one of its targets are running. */
  begin(candidate: Candidate, probesMax = 1): AttemptHandle | undefined {
    if (isInside(candidate)) return unwatched;
    const known = this.#known(candidate);
    const nowMs = this.#now();
    const isFull = ({ entry: { breaker } }: { readonly entry: Entry }) =>
      breaker.state(nowMs) !== "closed" && breaker.probes >= probesMax;
    if (known.some(isFull)) return undefined;
    const entered = new Map<Scope, Entered>(
      known.map(({ scope, entry }) => [scope, { entry, way: entry.breaker.enter(nowMs) }]),
    );
    this.#count(candidate.upstream.id, 1);
    return new WatchedAttempt(entered, {
      now: this.#now,
      rules: this.#rules,
      take: (scope) => this.#take(candidate, scope),
      observation: () => this.#observation(candidate),
      onOpened: this.#onOpened,
      onOver: () => this.#count(candidate.upstream.id, -1),
    });
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
    const running = this.running(upstreamId) + change;
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

  #known(candidate: Candidate): { readonly scope: Scope; readonly entry: Entry }[] {
    const known: { readonly scope: Scope; readonly entry: Entry }[] = [];
    if (this.#entries.size === 0 || isInside(candidate)) return known;
    const names = healthTargetNames(candidate);
    for (const scope of scopes) {
      const entry = this.#entries.get(names[scope]);
      if (entry) known.push({ scope, entry });
    }
    return known;
  }

  #take(candidate: Candidate, scope: Scope): Entry {
    return this.#entries.getOrInsert(healthTargetNames(candidate)[scope], () => ({
      target: healthTargetOf(candidate, scope),
      breaker: new Breaker(this.#options.breakerWindowMs),
      cooldown: new Cooldown(),
    }));
  }

  #observation(candidate: Candidate): Observation {
    const { observed } = healthTargetNames(candidate);
    return this.#observations.getOrInsert(observed, () => new Observation());
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

/** An embedded model is always healthy: it cannot fail, and callers may request errors from it. */
function isInside({ upstream }: Candidate): boolean {
  return upstream.answer !== undefined;
}

function rowName({ upstreamId, credentialId = "", model = "" }: HealthTarget): string {
  return `${upstreamId} ${credentialId} ${model}`;
}
