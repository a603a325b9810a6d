import type { Candidate } from "../upstreams/upstream.ts";

/**
 * A target whose health is tracked: an upstream, one of its credentials, or a model by one
 * credential.
 */
export interface HealthTarget {
  readonly upstreamId: string;
  readonly credentialId?: string;
  /** The upstream's own name of the model. */
  readonly model?: string;
}

export const scopes = ["upstream", "credential", "model"] as const;
/** One of a candidate's three targets. */
export type Scope = typeof scopes[number];

export function healthTargetOf(candidate: Candidate, scope: Scope): HealthTarget {
  const { upstream: { id: upstreamId }, credential, upstreamModel: model } = candidate;
  if (scope === "upstream") return { upstreamId };
  const credentialId = credential && { credentialId: credential.id };
  return scope === "credential"
    ? { upstreamId, ...credentialId }
    : { upstreamId, ...credentialId, model };
}

/**
 * Unique names of a candidate's targets, and of its model over all credentials: ids contain no
 * spaces, and the model comes last.
 */
type HealthTargetNames = Readonly<Record<Scope | "observed", string>>;

export function healthTargetNames(candidate: Candidate): HealthTargetNames {
  const known = kept.get(candidate);
  if (known) return known;
  const { upstream: { id: upstream }, credential: used, upstreamModel } = candidate;
  const credential = `${upstream} ${used?.id ?? ""}`;
  const names = {
    upstream,
    credential,
    model: `${credential} ${upstreamModel}`,
    observed: observedName({ upstreamId: upstream, model: upstreamModel }),
  };
  kept.set(candidate, names);
  return names;
}

/** The name of a model over all credentials. */
export function observedName({ upstreamId, model }: HealthTarget): string {
  return `${upstreamId} ${model ?? ""}`;
}

/** Calls of the same model share their candidates. */
const kept = new WeakMap<Candidate, HealthTargetNames>();
