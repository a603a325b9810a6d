import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import {
  type ChainCause,
  type ChainMember,
  isWithinHours,
  type SkipReason,
} from "../store/catalog/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import { fractionsOf } from "./candidates.ts";
import { failoverError } from "./failure.ts";
import { firstSuccess, type StartedAnswer, type TryBounds } from "./first_success.ts";
import { rankOf } from "./health_status.ts";

/** The facts about a call that the conditions of members depend on; each is read only if needed. */
export interface ChainFacts {
  readonly nowMs: number;
  readonly stream: boolean;
  readonly hasTools: () => boolean;
  readonly hasImages: () => boolean;
  /** The spent per cent of the fullest budget of the key. */
  readonly spentPercent: number;
  /** Names the session, or else the call: it decides the shares. */
  readonly session: string;
}

/** The first condition of a member that does not hold for a call; undefined if it may serve it. */
export function unmetCondition(member: ChainMember, facts: ChainFacts): SkipReason | undefined {
  const { hours, stream, tools, images, budgetPercent = 0, sharePercent = 100 } = member;
  if (stream !== undefined && stream !== facts.stream) return "stream";
  if (hours !== undefined && !isWithinHours(hours, facts.nowMs)) return "hours";
  if (budgetPercent > facts.spentPercent) return "budget";
  if (tools !== undefined && tools !== facts.hasTools()) return "tools";
  if (images !== undefined && images !== facts.hasImages()) return "images";
  if (sharePercent >= 100) return undefined;
  return fractionsOf(facts.session)(member.model) * 100 < sharePercent ? undefined : "share";
}

/** A member that may serve a call, with its candidates in order; at least one. */
export interface MemberWays {
  readonly member: ChainMember;
  readonly candidates: readonly Candidate[];
}

/** One attempt; `isReplaceable` if another member would answer in place of a refusal. */
type MemberAttempt<T> = (candidate: Candidate, isReplaceable: boolean) => Promise<T>;

/** The bounds of the attempts at members. */
interface ChainBounds extends TryBounds {
  /** Returns true if the prompt surely exceeds the window of a member. */
  readonly exceedsWindow: (ways: MemberWays) => boolean;
  readonly onSkip: (member: ChainMember, reason: SkipReason) => void;
}

/**
 * Tries members in order until one starts an answer, each like a model of its own. A member whose
 * window is too small, or without a healthy candidate, is passed over; the unhealthy ones are tried
 * again with the last member. After a failure, only the members that take its cause are left.
 * Throws a fault of the caller at once, else the most informative failure of all.
 */
export async function firstMember<T>(
  members: readonly MemberWays[],
  attempt: MemberAttempt<T>,
  bounds: ChainBounds,
): Promise<StartedAnswer<T>> {
  const left = new MembersLeft(members, bounds);
  for (let candidates = left.next(); candidates; candidates = left.next()) {
    const isReplaceable = left.hasTaker("refusal");
    const one = (candidate: Candidate) => attempt(candidate, isReplaceable);
    try {
      return await firstSuccess(candidates, one, left.isEmpty ? bounds : { ...bounds, ...atOnce });
    } catch (thrown) {
      left.failed(thrown);
    }
  }
  throw left.error();
}

/** While other members are left, none waits for a pause or breaks into an open breaker. */
const atOnce = { waitMsMax: 0, breakerCallsMax: 0 } as const;

/** The members of one call that were not tried yet. */
class MembersLeft {
  #left: readonly MemberWays[];
  /** Candidates that were unhealthy, to try with the last member. */
  readonly #postponed: Candidate[] = [];
  #trying: MemberWays | undefined;
  readonly #failures: GatewayError[] = [];
  readonly #all: readonly MemberWays[];
  readonly #bounds: ChainBounds;

  constructor(members: readonly MemberWays[], bounds: ChainBounds) {
    this.#all = this.#left = members;
    this.#bounds = bounds;
  }

  get isEmpty(): boolean {
    return this.#left.length === 0;
  }

  hasTaker(cause: ChainCause): boolean {
    return this.#left.some(({ member }) => takes(member, cause));
  }

  /** The candidates of the next member that can be tried; undefined after the last one. */
  next(): readonly Candidate[] | undefined {
    for (let [ways] = this.#left; ways; [ways] = this.#left) {
      this.#left = this.#left.slice(1);
      if (this.#passesOver(ways)) continue;
      this.#trying = ways;
      return this.isEmpty ? [...ways.candidates, ...this.#postponed] : ways.candidates;
    }
  }

  /** Keeps the members that take over after a failure. Rethrows one that all members would have. */
  failed(thrown: unknown): void {
    const cause = thrown instanceof GatewayError ? causeOf[thrown.code] : undefined;
    if (!(thrown instanceof GatewayError) || cause === undefined) throw thrown;
    this.#failures.push(thrown);
    if (cause === "rate-limit") this.#postponed.push(...this.#trying?.candidates ?? []);
    this.#keepTakers(cause);
  }

  error(): GatewayError {
    const { clock, health } = this.#bounds;
    const nowMs = clock.now();
    const statuses = this.#all.flatMap(({ candidates }) =>
      candidates.map((candidate) => health.status(candidate, nowMs))
    );
    return failoverError(this.#failures, statuses, nowMs);
  }

  #passesOver(ways: MemberWays): boolean {
    const { exceedsWindow, onSkip } = this.#bounds;
    const fits = (other: MemberWays) => takes(other.member, "window") && !exceedsWindow(other);
    if (!this.isEmpty && exceedsWindow(ways) && this.#left.some(fits)) {
      onSkip(ways.member, "window");
      this.#keepTakers("window");
      return true;
    }
    const cause = this.#troubleOf(ways);
    if (cause === undefined || !this.hasTaker(cause)) return false;
    onSkip(ways.member, cause === "rate-limit" ? "paused" : "unhealthy");
    this.#postponed.push(...ways.candidates);
    this.#keepTakers(cause);
    return true;
  }

  /** The cause that keeps all of a member's candidates from a try; undefined if one can be tried. */
  #troubleOf({ candidates }: MemberWays): ChainCause | undefined {
    const { clock, health } = this.#bounds;
    const nowMs = clock.now();
    const statuses = candidates.map((candidate) => health.status(candidate, nowMs));
    if (statuses.some((status) => rankOf(status) === 0)) return undefined;
    if (statuses.some(({ state }) => state === "cooling")) return "rate-limit";
    return causeOf[statuses[0]?.cause ?? "upstream_error"];
  }

  #keepTakers(cause: ChainCause): void {
    for (const { member } of this.#left) {
      if (!takes(member, cause)) this.#bounds.onSkip(member, "cause");
    }
    this.#left = this.#left.filter(({ member }) => takes(member, cause));
  }
}

function takes({ causes }: ChainMember, cause: ChainCause): boolean {
  return causes === undefined || causes.includes(cause);
}

/** The causes for which another member may answer. Other codes are faults that all would find. */
const causeOf: Readonly<Partial<Record<ErrorCode, ChainCause>>> = {
  rate_limit_exceeded: "rate-limit",
  upstream_timeout: "timeout",
  context_length_exceeded: "window",
  content_blocked: "refusal",
  upstream_unauthorized: "outage",
  upstream_unreachable: "outage",
  upstream_error: "outage",
  upstream_invalid_response: "outage",
  upstream_overloaded: "outage",
  upstream_truncated: "outage",
  model_not_found: "outage",
  endpoint_not_served: "outage",
  no_upstream: "outage",
};
