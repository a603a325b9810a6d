import {
  type Model,
  servesGroup,
  type UpstreamList,
  type UpstreamRecord,
} from "../store/catalog/mod.ts";
import { patternMatcher } from "../store/mod.ts";

/** The sources of model names. */
export interface NameSources {
  upstreams(): readonly UpstreamRecord[];
  /** Model lists of the upstreams, by upstream id. */
  upstreamLists(): ReadonlyMap<string, UpstreamList>;
  /** The operator's records of models. */
  models(): readonly Pick<Model, "id">[];
}

/**
 * The public names of an upstream, each once: its configured names, and for a pattern the names
 * that it lists itself, else the operator's own names. The catalog adds none: it knows the vendors'
 * models, not this upstream's.
 */
export function offeredNames(
  { id: upstreamId, models }: Pick<UpstreamRecord, "id" | "models">,
  sources: Pick<NameSources, "models" | "upstreamLists">,
): string[] {
  const listed = sources.upstreamLists().get(upstreamId)?.models;
  const names = models.flatMap(({ id, upstreamModel }) => {
    if (!id.includes("*")) return [id];
    const own = upstreamModel === undefined ? listed : undefined; // with a mapping, the upstream's own names are not public
    return (own ?? sources.models()).map((one) => one.id).filter(patternMatcher(id));
  });
  return [...new Set(names)];
}

/** The public names that enabled upstreams serve to a group, each once. */
export function namesForGroup(groupId: string, sources: NameSources): string[] {
  const names = sources.upstreams()
    .filter((upstream) => upstream.enabled && servesGroup(upstream, groupId))
    .flatMap((upstream) => offeredNames(upstream, sources));
  return [...new Set(names)];
}
