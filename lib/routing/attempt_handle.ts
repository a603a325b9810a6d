import type { ErrorCode, GatewayError } from "../canonical/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { AdmissionKind, Breaker, BreakerRule, Cooldown, CooldownRule } from "./breaker.ts";
import { faultOf, hasAnswered, restingAfter } from "./failure.ts";
import { type HealthTarget, type Observation, type Scope, scopes } from "./health_status.ts";

/** Reports one attempt to health: that it was answered, then how it ended. Ignores reports after its end. */
export interface AttemptHandle {
  /** The answer started without an error, `afterMs` after the call. */
  answered(afterMs: number): void;
  /** The attempt, or the answer that it started, has ended; complete if there is no error. */
  ended(error?: GatewayError): void;
}

/** The handle of an attempt at a model inside the gateway, whose health is not tracked. */
export const unwatched: AttemptHandle = { answered: () => {}, ended: () => {} };

/** The breaker and the cooldown of a target. */
export interface Entry {
  readonly target: HealthTarget;
  readonly breaker: Breaker;
  readonly cooldown: Cooldown;
}

/** An entry that the attempt was counted at. */
interface Entered {
  readonly entry: Entry;
  way: AdmissionKind;
}

/** The parts of health that an attempt at a candidate reads and changes. */
export interface AttemptWatch {
  readonly now: () => number;
  readonly rules: Rules;
  readonly take: (candidate: Candidate, scope: Scope) => Entry;
  readonly observation: (candidate: Candidate) => Observation;
  readonly onOpened: (opened: OpenedBreaker) => void;
  /** Called once, when the attempt or its answer ends. */
  readonly onOver: (candidate: Candidate) => void;
}

/** The entries that admitted an attempt, by scope. */
export type EnteredScopes = { [scope in Scope]?: Entered };

/** A breaker that has just opened, or stays open for longer after a failed probe. */
export interface OpenedBreaker {
  readonly target: HealthTarget;
  /** The code of the last failure. */
  readonly code: ErrorCode;
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
}

export interface Rules {
  readonly failures: BreakerRule;
  /** For a refused credential, and for a quota that is used up for long. */
  readonly refusals: BreakerRule;
  readonly cooldown: CooldownRule;
}

/** A running attempt, and the breakers that admitted it. */
export class WatchedAttempt implements AttemptHandle {
  readonly #candidate: Candidate;
  readonly #entered: EnteredScopes;
  readonly #watch: AttemptWatch;
  #stage: "begun" | "answered" | "over" = "begun";

  constructor(candidate: Candidate, entered: EnteredScopes, watch: AttemptWatch) {
    this.#candidate = candidate;
    this.#entered = entered;
    this.#watch = watch;
  }

  answered(afterMs: number): void {
    if (this.#stage !== "begun") return;
    this.#stage = "answered";
    this.#watch.observation(this.#candidate).answered(afterMs);
    this.#enteredAt("model");
    for (const scope of scopes) {
      const entered = this.#entered[scope];
      if (!entered) continue;
      const { entry: { breaker }, way } = entered;
      breaker.answered(way);
      if (scope !== "model") breaker.completed(this.#watch.now());
      entered.way = "call";
    }
  }

  ended(error?: GatewayError): void {
    if (this.#stage === "over") return;
    this.#stage = "over";
    this.#watch.onOver(this.#candidate);
    if (error) this.#failed(error);
    else this.#completed();
  }

  #completed(): void {
    const nowMs = this.#watch.now();
    const { breaker, cooldown } = this.#enteredAt("model").entry;
    breaker.completed(nowMs);
    cooldown.end();
    this.#watch.observation(this.#candidate).ended(nowMs, false);
  }

  #failed(error: GatewayError): void {
    const nowMs = this.#watch.now();
    const blamed = scopeAtFault(error);
    for (const scope of scopes) {
      if (scope === blamed) this.#blame(scope, error, nowMs);
      else this.#spare(scope, error, nowMs);
    }
    if (faultOf(error) === "pace") this.#pause(error, nowMs);
    if (blamed) this.#watch.observation(this.#candidate).ended(nowMs, true);
  }

  #blame(scope: Scope, error: GatewayError, nowMs: number): void {
    const { code } = error;
    const { entry, way } = this.#enteredAt(scope);
    const { refusals, failures } = this.#watch.rules;
    const rule = restingAfter(error) ? restRule(refusals, error) : failures;
    const before = entry.breaker.untilMs;
    entry.breaker.failed(nowMs, { error, way, rule });
    const { untilMs } = entry.breaker;
    if (untilMs === undefined || untilMs === before) return;
    this.#watch.onOpened({ target: entry.target, code, untilMs });
  }

  /** Any answer, even an error, proves that the upstream is reachable. */
  #spare(scope: Scope, error: GatewayError, nowMs: number): void {
    const entered = this.#entered[scope];
    if (!entered) return;
    const { entry: { breaker }, way } = entered;
    if (scope !== "upstream" || !hasAnswered(error)) return breaker.left(way);
    breaker.answered(way);
    breaker.completed(nowMs);
  }

  #pause({ retryAfterSeconds }: GatewayError, nowMs: number): void {
    const { entry } = this.#enteredAt("model");
    entry.cooldown.begin(nowMs, retryAfterSeconds, this.#watch.rules.cooldown);
  }

  #enteredAt(scope: Scope): Entered {
    return this.#entered[scope] ??= {
      entry: this.#watch.take(this.#candidate, scope),
      way: "call",
    };
  }
}

/** An upstream that says when a quota returns is believed, up to the longest rest. */
function restRule(rule: BreakerRule, { retryAfterSeconds = 0 }: GatewayError): BreakerRule {
  return { ...rule, openMs: Math.max(rule.openMs, retryAfterSeconds * 1_000) };
}

/** The target to which a failure counts; undefined if it counts to none. */
function scopeAtFault(error: GatewayError): Scope | undefined {
  const fault = faultOf(error);
  switch (fault) {
    case "upstream":
      return "upstream";
    case "model":
      return "model";
    case "credential":
    case "pace":
      return restingAfter(error);
    case "caller":
    case "gateway":
      return undefined;
    default:
      return fault satisfies never;
  }
}
