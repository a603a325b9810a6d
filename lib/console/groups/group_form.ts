import { boundsIn, type BoundsValues, boundsValues, readBounds } from "../../admin/bounds.ts";
import type { FormFaults } from "../../admin/fault_text.ts";
import type { FaultCode } from "../../admin/faults.ts";
import {
  choiceOf,
  groupFormats,
  groupId,
  groupModels,
  priceRatio,
  type UnpricedChoice,
  unpricedChoices,
} from "../../admin/groups.ts";
import { type ModelDirectory, type ModelRow, modelRows } from "../../admin/models/model_rows.ts";
import { type FormatName, formatNames } from "../../canonical/mod.ts";
import { allowsUnpriced, defaultGroupId, type Group } from "../../store/catalog/mod.ts";
import { matchesPattern } from "../../store/mod.ts";

export interface GroupValues extends BoundsValues {
  readonly id: string;
  readonly models: string;
  readonly formats: readonly FormatName[];
  readonly ratio: string;
  readonly unpriced: UnpricedChoice;
  readonly forMembers: boolean;
}

export type GroupFaults = FormFaults<keyof GroupValues, FaultCode<"group">>;

const textLengthMax = 1_000_000;

export function readGroupForm(form: URLSearchParams): GroupValues {
  const text = (name: string) => (form.get(name) ?? "").trim().slice(0, textLengthMax);
  return {
    ...readBounds(form),
    id: text("id"),
    models: text("models"),
    formats: formatNames.filter((name) => form.getAll("formats").includes(name)),
    ratio: text("ratio"),
    unpriced: unpricedChoices.find((one) => one === form.get("unpriced")) ?? "default",
    forMembers: form.get("forMembers") === "true",
  };
}

export function groupValues(group?: Group): GroupValues {
  const { id = "", models = ["*"], formats = ["*"], priceRatio = 1 } = group ?? {};
  return {
    ...boundsValues(group ?? {}),
    id,
    models: models.join("\n"),
    formats: formatNames.filter((name) => formats.includes("*") || formats.includes(name)),
    ratio: String(priceRatio),
    unpriced: choiceOf(group?.allowUnpriced),
    forMembers: group?.forMembers ?? false,
  };
}

type GroupFormResult =
  | { readonly type: "valid"; readonly group: Group }
  | { readonly type: "invalid"; readonly faults: GroupFaults };

/** The group that the form describes; `current` is the group to change, absent for a new one. */
export function groupOf(values: GroupValues, current?: Group): GroupFormResult {
  const models = groupModels.safeParse(
    values.models.split(/[\s,]+/).filter((line) => line !== ""),
  );
  const formats = groupFormats.safeParse(values.formats);
  const isNumber = /^\d{1,4}([.]\d{1,6})?$/.test(values.ratio);
  const ratio = priceRatio.safeParse(isNumber ? Number(values.ratio) : NaN);
  const { faults: boundsFaults, budgets, limits } = boundsIn(values, current ?? {});
  const faults = {
    ...(!current && !groupId.safeParse(values.id).success && { id: "id" as const }),
    ...(!models.success && { models: "models" as const }),
    ...(!formats.success && { formats: "formats" as const }),
    ...(!ratio.success && { ratio: "ratio" as const }),
    ...boundsFaults,
  };
  const areValid = models.success && formats.success && ratio.success;
  if (!areValid || Object.keys(faults).length > 0) return { type: "invalid", faults };
  return {
    type: "valid",
    group: {
      id: current?.id ?? values.id,
      origin: "console",
      models: models.data,
      formats: formats.data,
      priceRatio: ratio.data,
      ...(values.unpriced !== "default" && { allowUnpriced: values.unpriced === "allowed" }),
      ...(values.forMembers && { forMembers: true }),
      budgets,
      limits,
    },
  };
}

/**
 * Calls of models without a price are allowed, refused, or (`unbounded`) allowed to callers without
 * a budget or a prepaid balance.
 */
export function unpricedRule(
  group: Pick<Group, "id" | "allowUnpriced" | "budgets">,
): "allowed" | "unbounded" | "refused" {
  if (allowsUnpriced(group, true)) return "allowed";
  const hasBudget = (group.budgets?.length ?? 0) > 0;
  return allowsUnpriced(group, hasBudget) ? "unbounded" : "refused";
}

/** The price of a model in a group, or the reason why it has none. */
export type GroupCell =
  | { readonly type: "priced"; readonly price: NonNullable<ModelRow["price"]> }
  | { readonly type: "free" | "noPrice" | "noUpstream" | "outside" };

/** A model, and its cell for each group. */
export interface MatrixRow {
  readonly model: string;
  readonly cells: readonly GroupCell[];
}

/** Every model that an upstream serves, one of the groups names or the directory knows. */
export function groupMatrix(
  all: readonly Group[],
  directory: ModelDirectory,
  nowMs: number,
): readonly MatrixRow[] {
  const everything = { ...all[0], models: ["*"] };
  const served = all.map((group) =>
    new Map(modelRows([group], directory, nowMs).map((row) => [row.id, row]))
  );
  const known = new Set([
    ...served.flatMap((rows) => [...rows.keys()]),
    ...all.flatMap(({ id }) =>
      modelRows([{ ...everything, id }], directory, nowMs).map((row) => row.id)
    ),
    ...all.flatMap(({ models }) => models.filter((model) => !model.includes("*"))),
    ...directory.models().map(({ id }) => id),
  ]);
  return [...known].sort().map((model) => ({
    model,
    cells: all.map((group, at) => cellOf(group, model, served[at].get(model))),
  }));
}

function cellOf(group: Group, model: string, row: ModelRow | undefined): GroupCell {
  if (row?.price) return { type: "priced", price: row.price };
  if (row) return { type: unpricedRule(group) === "refused" ? "noPrice" : "free" };
  const isMeant = group.models.some((pattern) => matchesPattern(pattern, model));
  return { type: isMeant ? "noUpstream" : "outside" };
}

/** True for the default group, to which the warning about unpriced models applies. */
export function isDefaultGroup({ id }: Pick<GroupValues, "id">): boolean {
  return id === defaultGroupId;
}
