import { z } from "zod";
import { decimalUsd, readRollingPeriod, rollingMs } from "../canonical/mod.ts";
import { readUsd } from "../funds/mod.ts";
import {
  type Bounds,
  type Budget,
  budgetPeriods,
  budgetsMax,
  type CallLimits,
  inOrder,
  type WindowLimits,
  windowsMax,
} from "../store/money/mod.ts";
import {
  type BoundsField,
  boundsFields,
  budgetFields,
  limitFields,
  rollingField,
  windowFields,
} from "./bound_names.ts";
import type { FormFaults } from "./fault_text.ts";

/** A limit of requests or tokens per minute, or of concurrent requests. */
export const callLimit = z.int("whole").min(1, "whole").max(999_999_999_999, "whole");

/** The values of a form of budgets and limits. */
export type BoundsValues = Readonly<Record<BoundsField, string>>;

/** Budgets and limits as the form's values; empty if there are none. */
export function boundsValues({ budgets = [], limits = {} }: Bounds): BoundsValues {
  const amounts = budgetPeriods.map((period) => {
    const budget = budgets.find((one) => one.period === period);
    return [budgetFields[period], budget ? decimalUsd(budget.nanoUsd) : ""];
  });
  amounts.push([rollingField, rollingText(budgets)]);
  const counts = [
    ...limitFields.map((name) => [name, String(limits[name] ?? "")]),
    ...windowFields.map((name) => [name, windowsText(limits[name])]),
  ];
  return Object.fromEntries([...amounts, ...counts]) as BoundsValues; // one for each field
}

/** Rolling budgets as a form has them: `5/5h, 20/7d`. */
export function rollingText(budgets: readonly Budget[]): string {
  return budgets.filter(({ period }) => rollingMs(period) !== undefined)
    .map(({ nanoUsd, period }) => `${decimalUsd(nanoUsd)}/${period}`).join(", ");
}

/** Limits of any length as a form has them: `1000/5h, 5000/7d`. */
export function windowsText(windows: WindowLimits = {}): string {
  return Object.entries(windows).map(([length, count]) => `${count}/${length}`).join(", ");
}

/** The values of the budgets and limits in a form. */
export function readBounds(form: URLSearchParams): BoundsValues {
  const values = boundsFields.map((name) => [name, (form.get(name) ?? "").trim().slice(0, 300)]);
  return Object.fromEntries(values) as BoundsValues; // one for each field
}

/** The faults of budgets and limits. */
export type BoundsFaults = FormFaults<BoundsField, BoundsFault>;
type BoundsFault = "whole" | "budget" | "rolling" | "windows";

/** The budgets and limits in the form; absent if it has none. Budgets keep their time zones. */
export function boundsIn(values: Partial<BoundsValues>, current: Pick<Bounds, "budgets">) {
  const faults: Partial<Record<BoundsField, BoundsFault>> = {};
  const budgets: Budget[] = [];
  for (const period of budgetPeriods) {
    const field = budgetFields[period];
    const text = values[field]?.trim() ?? "";
    const nanoUsd = text === "" ? undefined : readUsd(text);
    const kept = current.budgets?.find((one) => one.period === period);
    if (nanoUsd !== undefined) budgets.push({ ...kept, nanoUsd, period });
    else if (text !== "") faults[field] = "budget";
  }
  const rolling = rollingIn(values[rollingField] ?? "", current);
  if (rolling && rolling.length + budgets.length <= budgetsMax) budgets.push(...rolling);
  else faults[rollingField] = "rolling";
  const limits: { -readonly [Name in keyof CallLimits]: CallLimits[Name] } = {};
  for (const field of limitFields) {
    const text = values[field]?.trim() ?? "";
    const value = callLimit.safeParse(/^\d+$/.test(text) ? Number(text) : NaN);
    if (value.success) limits[field] = value.data;
    else if (text !== "") faults[field] = "whole";
  }
  for (const field of windowFields) {
    const read = windowsIn(values[field] ?? "");
    if (!read) faults[field] = "windows";
    else if (Object.keys(read).length > 0) limits[field] = read;
  }
  return {
    faults,
    budgets: budgets.length > 0 ? budgets : undefined,
    limits: Object.keys(limits).length > 0 ? limits : undefined,
  };
}

const listSeparator = /[\s,;，；]+/;

/** The rolling budgets of a text such as `5/5h, 20/7d`; undefined if it is malformed. */
function rollingIn(text: string, { budgets = [] }: Pick<Bounds, "budgets">): Budget[] | undefined {
  const read = text.split(listSeparator).filter((part) => part !== "").map((part) => {
    const [amount, length = "", ...more] = part.split("/");
    const [nanoUsd, period] = [readUsd(amount), readRollingPeriod(length)];
    const kept = budgets.find((one) => one.period === period);
    if (nanoUsd === undefined || period === undefined || more.length > 0) return undefined;
    return { ...kept, nanoUsd, period };
  });
  const found = read.filter((one) => one !== undefined);
  const lengths = new Set(found.map(({ period }) => period));
  return lengths.size === read.length ? inOrder(found) : undefined;
}

/** The limits of a text such as `1000/5h, 5000/7d`; undefined if it is malformed. */
function windowsIn(text: string): WindowLimits | undefined {
  const parts = text.split(listSeparator).filter((part) => part !== "");
  const read = parts.flatMap((part) => {
    const [, digits = "", length = ""] = /^(\d+)\/(\w+)$/.exec(part) ?? [];
    const [count, period] = [callLimit.safeParse(Number(digits)), readRollingPeriod(length)];
    return count.success && period ? [[period, count.data] as const] : [];
  });
  const windows = Object.fromEntries(read);
  const isRead = Object.keys(windows).length === parts.length && parts.length <= windowsMax;
  return isRead ? windows : undefined;
}

/** Budgets and limits for the audit log. */
export function boundsWords(bounds: Bounds): Record<string, string | undefined> {
  const amounts: ReadonlySet<string> = new Set(Object.values(budgetFields));
  const words = Object.entries(boundsValues(bounds)).filter(([, text]) => text !== "")
    .map(([field, text]) => [field, amounts.has(field) ? `$${text}` : text]);
  const budgetZone = bounds.budgets?.find(({ timeZone }) => timeZone !== undefined)?.timeZone;
  return { budgetZone, ...Object.fromEntries(words) };
}
