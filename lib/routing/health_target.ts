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

/** A unique name for each target: ids contain no spaces, and the model comes last. */
export function healthTargetName(candidate: Candidate, scope: Scope): string {
  const { upstream: { id }, credential, upstreamModel } = candidate;
  if (scope === "upstream") return id;
  const named = `${id} ${credential?.id ?? ""}`;
  return scope === "credential" ? named : `${named} ${upstreamModel}`;
}
