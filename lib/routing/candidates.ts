import { hash } from "node:crypto";
import { type FormatName, formatNames } from "../canonical/mod.ts";
import { matchesPattern, patternSpecificity } from "../store/mod.ts";
import { servesGroup, type UpstreamModel } from "../store/mod.ts";
import type { Candidate, Upstream } from "../upstreams/upstream.ts";

export interface Wanted {
  readonly model: string;
  readonly format: FormatName;
  readonly groupId: string;
  /** Equal for the turns of one conversation. */
  readonly conversation?: string;
}

/**
 * The upstreams that may serve a model to a group, in the order to try them: those that speak the
 * caller's format first, then by priority, then by weight: drawn anew for each request, but for a
 * conversation always the same draw, so that its turns find the prompt cache that the first filled.
 * Pure: `random` gives numbers in [0, 1).
 */
export function candidatesFor(
  { model, format, groupId, conversation }: Wanted,
  upstreams: readonly Upstream[],
  random: () => number,
): Candidate[] {
  const able = upstreams.flatMap((upstream) => {
    const served = upstream.enabled && servesGroup(upstream, groupId)
      ? servedModel(upstream, model)
      : undefined;
    return served ? [candidateOf(upstream, served, model, format)] : [];
  });
  const fraction = (id: string) =>
    conversation === undefined ? random() : fractionOf(`${conversation} ${id}`);
  const drawn = able.map((candidate) => ({
    candidate,
    draw: weightedDraw(candidate.upstream.weight, fraction(candidate.upstream.id)),
  }));
  return drawn.sort((a, b) =>
    nativeFirst(a.candidate, b.candidate, format) ||
    b.candidate.upstream.priority - a.candidate.upstream.priority ||
    b.draw - a.draw
  ).map(({ candidate }) => candidate);
}

/** The closest pattern counts, so that a mapped name is never shadowed by `*`. */
function servedModel({ models }: Upstream, model: string): UpstreamModel | undefined {
  return models.filter(({ id }) => matchesPattern(id, model))
    .sort((a, b) => patternSpecificity(b.id) - patternSpecificity(a.id))[0];
}

function candidateOf(
  upstream: Upstream,
  served: UpstreamModel,
  model: string,
  format: FormatName,
): Candidate {
  const spoken = upstream.endpoints[format] !== undefined
    ? format
    : formatNames.find((name) => upstream.endpoints[name] !== undefined);
  return {
    upstream,
    upstreamModel: served.upstreamModel ?? model,
    ...(spoken && { format: spoken }),
  };
}

function nativeFirst(a: Candidate, b: Candidate, format: FormatName): number {
  return Number(b.format === format) - Number(a.format === format);
}

/** Sorting by u^(1/w) draws without replacement in proportion to the weights (Efraimidis and Spirakis, 2006). */
function weightedDraw(weight: number, fraction: number): number {
  return weight > 0 ? fraction ** (1 / weight) : -1;
}

/** A number in [0, 1) that depends on the text alone. */
function fractionOf(text: string): number {
  return Number.parseInt(hash("sha256", text, "hex").slice(0, 12), 16) / 2 ** 48;
}
