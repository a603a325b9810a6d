import type { ErrorCode, FormatName } from "../canonical/mod.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import {
  candidatesFor,
  type Circumstances,
  type Served,
  servedFor,
  type Wanted,
} from "./candidates.ts";
import { rankOf, type Standing } from "./standing.ts";

/** What an upstream is to a call, by one of its credentials, and why. */
export interface RouteVerdict {
  readonly upstreamId: string;
  /** Absent where the upstream has none, or where none would be used. */
  readonly credentialId?: string;
  /** `candidate` would be called; `cooling` and `open` only once the others fail; the rest never. */
  readonly verdict:
    | "candidate"
    | "cooling"
    | "open"
    | "disabled"
    | "credentials"
    | "group"
    | "model";
  /** One sentence for an administrator. */
  readonly reason: string;
  /** 1 is tried first; absent for what is never called. */
  readonly order?: number;
  /** In which it would be called; absent for a model inside the gateway. */
  readonly format?: FormatName;
  /** Milliseconds since the epoch: until when it is open or cooling. */
  readonly untilMs?: number;
  /** What went wrong last, where it is open or cooling. */
  readonly cause?: ErrorCode;
}

/**
 * Which upstreams would serve what is wanted, and why: those that would, in the order to try them,
 * then those that would not. Chance is left out: of equals the one with the greater weight stands
 * first, and a conversation stands where it always does. Whether the group may use the model at all
 * is for the caller to say.
 */
export function explainRoute(
  wanted: Wanted,
  upstreams: readonly Upstream[],
  { health, nowMs }: Omit<Circumstances, "random">,
): readonly RouteVerdict[] {
  const random = () => 0.5;
  const tried = candidatesFor(wanted, upstreams, { health, nowMs, random })
    .map((candidate, index): RouteVerdict => {
      const standing = health.standing(candidate, nowMs);
      const { upstream, credential, format } = candidate;
      const { untilMs, cause } = standing;
      return {
        upstreamId: upstream.id,
        ...(credential && { credentialId: credential.id }),
        verdict: verdictOf(standing),
        reason: [
          format === undefined || format === wanted.format
            ? `Answers ${wanted.format} itself`
            : `Answers by conversion to ${format}`,
          `priority ${upstream.priority}`,
          `weight ${upstream.weight}`,
          ...standingText(standing),
        ].join(", "),
        order: index + 1,
        ...(format && { format }),
        ...(untilMs !== undefined && { untilMs }),
        ...(cause && { cause }),
      };
    });
  return [...tried, ...upstreams.flatMap((upstream) => refusalOf(upstream, wanted))];
}

function refusalOf(upstream: Upstream, wanted: Wanted): RouteVerdict[] {
  const served = servedFor(upstream, wanted);
  if (served.type === "served") return [];
  const reason = refusals[served.type](upstream, wanted);
  return [{ upstreamId: upstream.id, verdict: served.type, reason }];
}

const refusals: Readonly<
  Record<Exclude<Served["type"], "served">, (upstream: Upstream, wanted: Wanted) => string>
> = {
  disabled: () => "It is disabled",
  credentials: ({ credentialsFault }) =>
    `Its credentials cannot be opened: enter them again (${credentialsFault})`,
  group: (_, { groupId }) => `It does not serve the group ${groupId}`,
  model: (_, { model }) => `It does not serve the model ${model}`,
};

function verdictOf(standing: Standing): "candidate" | "cooling" | "open" {
  return ({ 0: "candidate", 1: "cooling", 2: "open" } as const)[rankOf(standing)];
}

function standingText({ state, untilMs, cause, isProbing }: Standing): readonly string[] {
  const until = untilMs === undefined ? "" : ` until ${new Date(untilMs).toISOString()}`;
  const probe = isProbing ? ["a probe is out"] : [];
  switch (state) {
    case "closed":
      return [];
    case "half-open":
      return isProbing ? probe : ["half-open: the next call probes it"];
    case "cooling":
      return [`cooling${until}: it asked for fewer calls`];
    case "open":
      return [`open${until}: ${causeText(cause)}`, ...probe];
    default:
      return state satisfies never;
  }
}

function causeText(cause: Standing["cause"]): string {
  if (cause === "upstream_unauthorized") return "its credential was refused";
  if (cause === "upstream_unreachable") return "it could not be reached";
  return `it failed too often, last with ${cause}`;
}
