import type { Candidate } from "../upstreams/upstream.ts";

/** What health is kept of: an upstream; with a credential, that alone; with a model, that by this credential. */
export interface Place {
  readonly upstreamId: string;
  readonly credentialId?: string;
  /** The upstream's own name of it. */
  readonly model?: string;
}

export const scopes = ["upstream", "credential", "model"] as const;
/** At which of a candidate's places something is known. */
export type Scope = typeof scopes[number];

export function placeOf(candidate: Candidate, scope: Scope): Place {
  const { upstream: { id: upstreamId }, credential, upstreamModel: model } = candidate;
  if (scope === "upstream") return { upstreamId };
  const credentialId = credential && { credentialId: credential.id };
  return scope === "credential"
    ? { upstreamId, ...credentialId }
    : { upstreamId, ...credentialId, model };
}

/** Names no two places alike: ids hold no spaces, and the model comes last. */
export function placeName(candidate: Candidate, scope: Scope): string {
  const { upstream: { id }, credential, upstreamModel } = candidate;
  if (scope === "upstream") return id;
  const named = `${id} ${credential?.id ?? ""}`;
  return scope === "credential" ? named : `${named} ${upstreamModel}`;
}
