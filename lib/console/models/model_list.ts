import type { ModelRow, PriceRow } from "../../admin/models/model_rows.ts";
import { formatNames } from "../../canonical/mod.ts";
import { capabilities } from "../../catalog/mod.ts";
import { defineList, type QueryOf } from "../page/define_list.ts";
import { choice, option, search, textField } from "../page/list_fields.ts";
import { type ModelSpeed, type ModelUse, successShare } from "./model_measures.ts";

/** The parts of the list: all models, and those with one property. */
export const modelParts = ["called", "unpriced", "own", "outdated", "unserved"] as const;
export type ModelPart = typeof modelParts[number];

/** A model with what is known of its calls; anonymous readers see no calls. */
export interface MeasuredModel extends ModelRow {
  /** The calls of all accounts; absent without calls in the period. */
  readonly use?: ModelUse;
  /** Absent until the model is on the page. */
  readonly speed?: ModelSpeed;
  /** The reader's spend; for administrators, that of all accounts. */
  readonly spentNanoUsd?: bigint;
  /** For administrators only. */
  readonly served?: ServedBy;
}

/** The facts of a model for administrators. */
export interface ServedBy {
  /** The enabled upstreams, in the order of their names. */
  readonly upstreams: readonly string[];
  readonly source: PriceRow["source"];
  readonly isOutdated: boolean;
}

/** The models that a reader may call. `group` chooses the group whose models and prices are shown. */
export const modelList = defineList<MeasuredModel>()({
  path: "/console/pricing",
  fields: {
    q: search(({ id, displayName = "", vendor = "" }) => [id, displayName, vendor]),
    show: choice(modelParts, isOfPart),
    vendor: textField((row, vendor) => row.vendor === vendor),
    format: choice(formatNames, (row, format) => row.formats.includes(format)),
    can: choice(capabilities, (row, capability) => row.capabilities.includes(capability)),
    group: textField(),
    compare: option(["groups"]),
    period: option(["24h"]),
  },
  sort: {
    columns: {
      name: ({ id }) => id,
      context: ({ contextWindow }) => contextWindow,
      success: ({ use }) => use && successShare(use.counts),
      speed: ({ speed }) => speed?.firstByteMs,
      tokens: ({ speed }) => speed?.tokensPerSecond,
      calls: ({ use }) => use?.counts.requests,
      input: ({ price }) => price?.input,
      output: ({ price }) => price?.output,
      spent: ({ spentNanoUsd }) => spentNanoUsd,
    },
    usual: { column: "calls", descending: true },
    descendingFirst: ["context", "success", "tokens", "calls", "spent"],
    detailed: ["speed", "tokens"],
    then: (a, b) => a.id < b.id ? -1 : 1,
  },
});
export type ModelQuery = QueryOf<typeof modelList>;

function isOfPart({ use, price, groups, served }: MeasuredModel, part: ModelPart): boolean {
  if (groups.length === 0 || part === "unserved") {
    return groups.length === 0 && part === "unserved";
  }
  if (part === "called") return use !== undefined;
  if (part === "unpriced") return price === undefined;
  if (part === "own") return served?.source === "own";
  return served?.isOutdated ?? false;
}

/** The address of a model's page. */
export function modelPath(name: string, more: Readonly<Record<string, string>> = {}): string {
  return `/console/pricing/model?${new URLSearchParams({ name, ...more })}`;
}

/** A model's page with its price form open and focused. */
export function setPricePath(name: string): string {
  return modelPath(name, { set: "price" });
}
