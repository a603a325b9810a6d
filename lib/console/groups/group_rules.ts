import { z } from "zod";
import { formatNames, isModelPattern } from "../../canonical/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

/** A fault of a group's field; the catalog has its sentence. Every rule's message is one of them. */
type GroupFault = keyof Catalog["groups"]["fault"];

const modelsMax = 5_000;
const ratioMax = 1_000;

/** The id of a new group, which is also its name. */
export const groupId = z.string(fault("id"))
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, fault("id"));

/** Names of models, or patterns such as `gpt-*`; each once. */
export const groupModels = z.array(
  z.string(fault("models")).min(1, fault("models")).max(200, fault("models"))
    .regex(/^[^\s,]+$/, fault("models")).refine(isModelPattern, fault("models")),
  fault("models"),
).min(1, fault("models")).max(modelsMax, fault("models")).transform((all) => [...new Set(all)]);

/** Formats; all of them are `*` alone. */
export const groupFormats = z.array(
  z.enum(["*", ...formatNames], fault("formats")),
  fault("formats"),
)
  .min(1, fault("formats")).transform((all) => {
    const areAll = all.includes("*") || formatNames.every((name) => all.includes(name));
    return areAll ? ["*" as const] : formatNames.filter((name) => all.includes(name));
  });

/** The factor on prices, with at most six decimals. */
export const priceRatio = z.number(fault("ratio")).min(0, fault("ratio")).max(
  ratioMax,
  fault("ratio"),
)
  .refine((ratio) => Number(ratio.toFixed(6)) === ratio, fault("ratio"));

/** Checks that a message is the name of a fault. */
function fault(name: GroupFault): GroupFault {
  return name;
}
