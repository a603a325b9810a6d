import type { AuditContext } from "../../admin/audit.ts";
import { changeKey, removeKey, rotateKey, setKeyEnabled } from "../../admin/keys/key_changes.ts";
import { readUsd } from "../../funds/mod.ts";
import { type ApiKey, getApiKey } from "../../store/api_keys/mod.ts";
import {
  type Budget,
  type BudgetPeriod,
  budgetsMax,
  inOrder,
  readBudgetPeriod,
} from "../../store/money/mod.ts";
import { readQuery } from "../page/define_list.ts";
import { readWho } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";
import { foundKeyRows, keyList } from "./key_list.ts";
import { mayManage } from "./own_key.ts";

export const bulkActions = ["disable", "enable", "rotate", "limit", "delete"] as const;
/** The actions on several keys at once. */
export type BulkAction = typeof bulkActions[number];

/** The most keys that one form changes. */
export const bulkMax = 500;
/** Fewer, because the next page shows all secrets. */
const rotatedMax = 100;
/** As many ids as fit in the cookie of a message. */
const undoneMax = 40;

/** A key with its new secret. */
export interface RotatedKey {
  readonly name: string;
  readonly secret: string;
}

/** The budget that a form sets; without an amount it removes the period's budget. */
interface BulkLimit {
  readonly period: BudgetPeriod;
  readonly nanoUsd?: bigint;
}

/** The field of a limit that cannot be read. */
export type LimitFault = "length" | "amount";

/**
 * The limit in a form, which without an amount removes one. A length such as `5h` counts instead of
 * the calendar's period.
 */
export function readLimit(form: URLSearchParams): BulkLimit | LimitFault {
  const [length, calendar, text] = ["length", "period", "amount"]
    .map((name) => (form.get(name) ?? "").trim());
  const period = readBudgetPeriod(length || calendar || "month");
  if (period === undefined) return "length";
  if (text === "") return { period };
  const nanoUsd = readUsd(text);
  return nanoUsd === undefined ? "amount" : { period, nanoUsd };
}

/**
 * Returns the selected keys that the reader may change: those of the form's ids or, with
 * `all=yes`, those that the list at `back` selects. Leaves out devices if secrets are rotated.
 */
export async function chosenKeys(
  state: AccountState,
  form: URLSearchParams,
  back: string,
): Promise<readonly ApiKey[]> {
  const found = form.get("all") === "yes"
    ? await keysAt(state, back)
    : await keysOf(state, form.getAll("key"));
  const changeable = found.filter((key) => key.origin === "console" && mayManage(state, key));
  return form.get("action") === "rotate"
    ? changeable.filter(({ device }) => !device).slice(0, rotatedMax)
    : changeable.slice(0, bulkMax);
}

async function keysAt(state: AccountState, back: string): Promise<readonly ApiKey[]> {
  const { searchParams } = new URL(back, "http://console");
  const who = readWho(searchParams, state);
  const rows = await foundKeyRows(state, readQuery(keyList, searchParams), who);
  return rows.map(({ apiKey }) => apiKey);
}

async function keysOf(
  { services: { store } }: AccountState,
  ids: readonly string[],
): Promise<readonly ApiKey[]> {
  const known = [...new Set(ids)].filter(({ length }) => length <= 100).slice(0, bulkMax);
  const found = await Promise.all(known.map((id) => getApiKey(store, id)));
  return found.filter((key) => key !== undefined);
}

/** Enables or disables keys. Returns those whose state changed; ids fit for an undo. */
export async function setKeysEnabled(
  ctx: AuditContext,
  keys: readonly ApiKey[],
  enabled: boolean,
): Promise<{ readonly count: number; readonly ids: readonly string[] }> {
  const others = keys.filter((key) => key.enabled !== enabled);
  const changed: string[] = [];
  for (const key of others) {
    if (await setKeyEnabled(ctx, key, { enabled })) changed.push(key.id);
  }
  return { count: changed.length, ids: changed.length <= undoneMax ? changed : [] };
}

/** Deletes keys. Returns the number of deleted keys. */
export async function removeKeys(ctx: AuditContext, keys: readonly ApiKey[]): Promise<number> {
  let removed = 0;
  for (const key of keys) if (await removeKey(ctx, key)) removed++;
  return removed;
}

/** Gives each key a new secret. */
export async function rotateKeys(
  ctx: AuditContext,
  keys: readonly ApiKey[],
  grace: { readonly graceMs: number; readonly grace: string },
): Promise<readonly RotatedKey[]> {
  const rotated: RotatedKey[] = [];
  for (const key of keys) {
    const issued = await rotateKey(ctx, key, grace);
    if (issued) rotated.push({ name: key.name, secret: issued.secret });
  }
  return rotated;
}

/** Sets the budget of one period for each key; other budgets stay. Returns the changed ids. */
export async function limitKeys(
  ctx: AuditContext,
  keys: readonly ApiKey[],
  limit: BulkLimit,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const key of keys) {
    const saved = await changeKey(ctx, key, (current) => withBudget(current, limit));
    if (saved !== undefined && saved !== "taken") changed.push(key.id);
  }
  return changed;
}

/** The budget that all keys had before, so that one form can restore it; undefined if they differ. */
export function limitBefore(
  keys: readonly ApiKey[],
  period: BudgetPeriod,
): BulkLimit | undefined {
  if (keys.length > undoneMax) return undefined;
  const [first, ...others] = keys.map((key) => budgetOf(key, period)?.nanoUsd);
  return others.some((one) => one !== first)
    ? undefined
    : { period, ...(first !== undefined && { nanoUsd: first }) };
}

function budgetOf({ budgets = [] }: ApiKey, period: BudgetPeriod): Budget | undefined {
  return budgets.find((one) => one.period === period);
}

function withBudget(key: ApiKey, { period, nanoUsd }: BulkLimit): ApiKey {
  const { budgets = [], ...rest } = key;
  const timeZone = budgets.find((one) => one.timeZone !== undefined)?.timeZone;
  const kept = budgets.filter((one) => one.period !== period);
  const zone = timeZone === undefined ? {} : { timeZone };
  const all = nanoUsd === undefined ? kept : [...kept, { nanoUsd, period, ...zone }];
  if (all.length > budgetsMax) return key;
  return { ...rest, ...(all.length > 0 && { budgets: inOrder(all) }) };
}
