import type { FormatName } from "../canonical/mod.ts";
import { type ChainMember, isWithinHours } from "../store/catalog/mod.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import {
  candidatesFor,
  type Circumstances,
  type RouteQuery,
  servedFor,
  type ServedOrReason,
} from "./candidates.ts";
import { type HealthStatus, rankOf } from "./health_status.ts";

/** The role of an upstream and a credential for a call, and the reason. */
export interface RouteVerdict {
  readonly upstreamId: string;
  /** The member of a virtual model that the upstream would serve. */
  readonly member?: ChainMember;
  /** Absent if the upstream has no credential, or none would be used. */
  readonly credentialId?: string;
  /** `candidate` would be called; `cooling` and `open` only once the others fail; the rest never. */
  readonly verdict:
    | "candidate"
    | "cooling"
    | "open"
    | "disabled"
    | "credentials"
    | "group"
    | "model"
    | "hours";
  /**
   * The reason why it is never called: the fault of its credential, or the group or model that it
   * does not serve, or the hours of the member.
   */
  readonly lacks?: string;
  /** The order of attempts from 1; absent if it is never called. */
  readonly order?: number;
  /** The format of the call; absent for the built-in model. */
  readonly format?: FormatName;
  /** True if request and answer are converted. */
  readonly isConverted?: boolean;
  readonly priority?: number;
  readonly weight?: number;
  /** Absent if it is never called. */
  readonly health?: HealthStatus;
}

/**
 * Explains which upstreams would serve a query: first those that would, in the order to try them,
 * then those that would not. Deterministic: the greater weight comes first, and a conversation
 * keeps its order. The caller checks whether the group may use the model.
 */
export function explainRoute(
  query: RouteQuery,
  upstreams: readonly Upstream[],
  circumstances: Omit<Circumstances, "random">,
): readonly RouteVerdict[] {
  const { health, nowMs } = circumstances;
  const tried = candidatesFor(query, upstreams, { ...circumstances, random: () => 0.5 })
    .map((candidate, index): RouteVerdict => {
      const { upstream, credential, format } = candidate;
      const status = health.status(candidate, nowMs);
      return {
        upstreamId: upstream.id,
        ...(credential && { credentialId: credential.id }),
        verdict: verdictOf(status),
        order: index + 1,
        ...(format && { format, isConverted: format !== query.format }),
        priority: upstream.priority,
        weight: upstream.weight,
        health: status,
      };
    });
  return [...tried, ...upstreams.flatMap((upstream) => refusalOf(upstream, query))];
}

/**
 * Explains a call to a virtual model: the upstreams of each member in turn, in one order of attempts.
 * Members outside their hours have none. Their other conditions depend on the call.
 */
export function explainChain(
  members: readonly ChainMember[],
  query: RouteQuery,
  upstreams: readonly Upstream[],
  circumstances: Omit<Circumstances, "random">,
): readonly RouteVerdict[] {
  let tried = 0;
  return members.flatMap((member) => {
    const { model, hours } = member;
    const isOut = hours !== undefined && !isWithinHours(hours, circumstances.nowMs);
    const before = tried;
    const all = explainRoute({ ...query, model }, upstreams, circumstances);
    const serving = all.filter(({ verdict }) => verdict !== "model");
    return (serving.length > 0 ? serving : all).map(({ order, ...verdict }): RouteVerdict => {
      if (order === undefined) return { ...verdict, member };
      if (isOut) return { ...verdict, member, verdict: "hours", lacks: hours };
      tried++;
      return { ...verdict, member, order: before + order };
    });
  });
}

function refusalOf(upstream: Upstream, query: RouteQuery): RouteVerdict[] {
  const served = servedFor(upstream, query);
  if (served.type === "served") return [];
  const lacks = lacking[served.type](upstream, query);
  return [{ upstreamId: upstream.id, verdict: served.type, ...(lacks && { lacks }) }];
}

const lacking: Readonly<
  Record<
    Exclude<ServedOrReason["type"], "served">,
    (upstream: Upstream, query: RouteQuery) => string | undefined
  >
> = {
  disabled: () => undefined,
  credentials: ({ credentialsFault }) => credentialsFault,
  group: (_, { groupId }) => groupId,
  model: (_, { model }) => model,
};

function verdictOf(status: HealthStatus): "candidate" | "cooling" | "open" {
  return ({ 0: "candidate", 1: "cooling", 2: "open" } as const)[rankOf(status)];
}
