import { type FormatName, formatNames } from "../canonical/mod.ts";
import { catalogModel, servedNames } from "../catalog/mod.ts";
import {
  type Directory,
  type Group,
  matchesPattern,
  type Model,
  priceInForce,
  servesGroup,
} from "../store/mod.ts";
import { upstreamsOf } from "../upstreams/mod.ts";

/** One model as the account sees it. */
export interface ModelRow {
  readonly id: string;
  readonly displayName?: string;
  readonly groups: readonly string[];
  readonly formats: readonly FormatName[];
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Dearest over the account's groups, in USD per million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** Every model that an upstream serves to one of the groups by name; of a pattern, what is known to match it. */
export function modelRows(
  groups: readonly Group[],
  directory: Pick<Directory, "models" | "upstreams">,
  nowMs: number,
): ModelRow[] {
  const known = new Map(directory.models().map((model) => [model.id, model]));
  const groupsByModel = new Map<string, Group[]>();
  for (const group of groups) {
    for (const id of namesFor(group, directory, known)) {
      groupsByModel.set(id, [...groupsByModel.get(id) ?? [], group]);
    }
  }
  return [...groupsByModel].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([id, served]) => rowOf(id, served, { model: known.get(id), nowMs }));
}

function namesFor(
  group: Group,
  directory: Pick<Directory, "upstreams">,
  known: ReadonlyMap<string, Model>,
): Set<string> {
  const names = upstreamsOf(directory.upstreams())
    .filter((upstream) => upstream.enabled && servesGroup(upstream, group.id))
    .flatMap(({ models }) => models.flatMap(({ id }) => servedNames(id, known.keys())));
  const admitted = names.filter((id) => group.models.some((one) => matchesPattern(one, id)));
  return new Set(admitted);
}

/** What a model's record leaves unsaid, the catalog fills in. */
function rowOf(
  id: string,
  groups: readonly Group[],
  { model, nowMs }: { readonly model: Model | undefined; readonly nowMs: number },
): ModelRow {
  const formats = formatNames.filter((format) =>
    groups.some((group) => group.formats.includes("*") || group.formats.includes(format))
  );
  const ratio = Math.max(...groups.map(({ priceRatio }) => priceRatio));
  const facts = catalogModel(id);
  const prices = model?.price ?? facts?.price;
  const price = prices && priceInForce(prices, nowMs);
  return {
    id,
    groups: groups.map((group) => group.id),
    formats,
    displayName: model?.displayName ?? facts?.displayName,
    contextWindow: model?.contextWindow ?? facts?.contextWindow,
    maxOutputTokens: model?.maxOutputTokens ?? facts?.maxOutputTokens,
    ...(price && { price: { input: price.input * ratio, output: price.output * ratio } }),
  };
}
