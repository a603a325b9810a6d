import { matchesPattern } from "../store/mod.ts";
import {
  type Model,
  servesGroup,
  type UpstreamList,
  type UpstreamRecord,
} from "../store/catalog/mod.ts";

/** Where names of models are said. */
export interface NameSources {
  upstreams(): readonly UpstreamRecord[];
  /** The models that upstreams list themselves, by upstream id. */
  upstreamLists(): ReadonlyMap<string, UpstreamList>;
  /** The operator's records of models. */
  models(): readonly Pick<Model, "id">[];
}

/**
 * The public names that an upstream stands for, each once: those that it is given by name, and of a
 * pattern what it lists itself, else the operator's own names. The catalog adds none: it knows what
 * vendors have, not what this upstream serves.
 */
export function offeredNames(
  { id: upstreamId, models }: Pick<UpstreamRecord, "id" | "models">,
  sources: Pick<NameSources, "models" | "upstreamLists">,
): string[] {
  const listed = sources.upstreamLists().get(upstreamId)?.models;
  const names = models.flatMap(({ id, upstreamModel }) => {
    if (!id.includes("*")) return [id];
    const own = upstreamModel === undefined ? listed : undefined; // mapped, its own names say nothing of public ones
    return (own ?? sources.models()).map((one) => one.id).filter((name) =>
      matchesPattern(id, name)
    );
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
