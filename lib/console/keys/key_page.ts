import { boundsOfSubject } from "../../admin/effective_bounds.ts";
import type { EffectiveBounds } from "../../ledger/mod.ts";
import {
  type ApiKey,
  type DenialSum,
  type FormerSecretUse,
  listDeniedCalls,
  sumsOfDenied,
} from "../../store/api_keys/mod.ts";
import { type AuditEntry, listAuditEntries } from "../../store/audit/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { getBalance } from "../../store/money/mod.ts";
import { subjects } from "../../store/usage/mod.ts";
import { getUser, type User } from "../../store/users/mod.ts";
import { clientName } from "../calls/call_words.ts";
import type { PeriodSpan } from "../page/period.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { budgetsOfKey, type BudgetUse } from "./budget_use.ts";
import { formerUse } from "./key_list.ts";
import { readSubjectUsage, type SteppedUsage } from "./subject_usage.ts";

/** An address or program, and its number of recent calls. */
export interface SeenFrom {
  /** The client's address or program; absent if the calls did not state it. */
  readonly name?: string;
  readonly count: number;
  readonly lastMs: number;
}

/** The addresses and programs of a key's newest calls. */
interface KeyCallers {
  /** The number of calls examined. */
  readonly calls: number;
  readonly addresses: readonly SeenFrom[];
  readonly clients: readonly SeenFrom[];
}

/** The data of a key's page except the key itself; undefined values could not be read. */
export interface KeyPageData {
  readonly budgets?: readonly BudgetUse[];
  readonly bounds?: EffectiveBounds;
  /** By model. */
  readonly usage?: SteppedUsage;
  /** The owner; absent for a deleted account. */
  readonly owner?: User;
  readonly calls?: readonly RequestLogRow[];
  readonly errors?: readonly RequestLogRow[];
  /** Refused calls of the last week, which have no row in the log. */
  readonly denied?: readonly DenialSum[];
  readonly callers?: KeyCallers;
  readonly changes?: readonly AuditEntry[];
  readonly former?: FormerSecretUse;
  /** True if a budget exceeds the account's balance. */
  readonly overBalance: boolean;
}

/** The number of days of refused calls on the page, which is their retention. */
export const deniedDays = 7;

const callsShown = 10;
const errorsShown = 5;
const changesShown = 10;
const seenShown = 8;
/** The number of newest calls examined for addresses and programs. */
const callsLookedAt = 50;
const dayMs = 86_400_000;

/** Reads the usage of a period, and what else is known about the key. */
export async function readKeyPage(
  state: AccountState,
  apiKey: ApiKey,
  span: PeriodSpan,
): Promise<KeyPageData> {
  const { services: { store }, nowMs } = state;
  const { id: keyId, accountId } = apiKey;
  const whole = subjects.key(keyId, accountId);
  const parts = { dimension: "keyModel", scope: keyId } as const;
  const reading = tryLoad(readSubjectUsage(store, { whole, parts }, { span, nowMs }));
  const owner = await tryLoad(getUser(store, accountId));
  const [budgets, bounds, usage, newest, errors, changes, former, overBalance, denied] =
    await Promise.all([
      tryLoad(budgetsOfKey(state, apiKey)),
      tryLoad(boundsOfSubject({ type: "key", key: apiKey, account: owner }, state)),
      reading,
      tryLoad(listRequestLogs(store, { keyId, limit: callsLookedAt })),
      tryLoad(reading.then((usage) => errorsOf(state, apiKey, { span, usage }))),
      tryLoad(changesOf(store, apiKey)),
      formerUse(store, apiKey, nowMs),
      isOverBalance(state, apiKey, owner),
      tryLoad(deniedOf(state, apiKey)),
    ]);
  return {
    budgets,
    bounds,
    usage,
    owner,
    calls: newest?.rows.slice(0, callsShown),
    errors,
    callers: newest && callersOf(newest.rows),
    changes,
    former,
    overBalance,
    denied,
  };
}

/** The newest failures of the period. Does not search the log if the sums show no failure. */
async function errorsOf(
  { services: { store } }: AccountState,
  { id: keyId }: ApiKey,
  { span: { fromMs, toMs }, usage }: {
    readonly span: PeriodSpan;
    readonly usage: SteppedUsage | undefined;
  },
): Promise<readonly RequestLogRow[]> {
  if (usage?.total.failures === 0) return [];
  const query = { keyId, status: "failed", fromMs, toMs, limit: errorsShown } as const;
  return (await listRequestLogs(store, query)).rows;
}

async function deniedOf(
  { services: { store, directory }, nowMs }: AccountState,
  { id }: ApiKey,
): Promise<readonly DenialSum[]> {
  await directory.writeDenials();
  return sumsOfDenied(await listDeniedCalls(store, id, nowMs - deniedDays * dayMs));
}

/** The newest changes, from one page of the audit log. */
async function changesOf(
  store: Store,
  { id: keyId, createdAtMs }: ApiKey,
): Promise<readonly AuditEntry[]> {
  const filter = { kind: "key", text: keyId, fromMs: createdAtMs } as const;
  const { entries } = await listAuditEntries(store, { filter, limit: changesShown });
  return entries.filter(({ targetId }) => targetId === keyId);
}

function callersOf(rows: readonly RequestLogRow[]): KeyCallers {
  return {
    calls: rows.length,
    addresses: seenIn(rows, ({ ip }) => ip),
    clients: seenIn(rows, ({ userAgent }) => clientName(userAgent)),
  };
}

/** Counts the names; rows are newest first. */
function seenIn(
  rows: readonly RequestLogRow[],
  nameOf: (row: RequestLogRow) => string | undefined,
): SeenFrom[] {
  const seen = [...Map.groupBy(rows, nameOf)].map(([name, own]) => ({
    ...(name !== undefined && { name }),
    count: own.length,
    lastMs: own[0].atMs,
  }));
  return seen.sort((a, b) => b.count - a.count).slice(0, seenShown);
}

async function isOverBalance(
  { services: { store } }: AccountState,
  { budgets = [] }: ApiKey,
  user: User | undefined,
): Promise<boolean> {
  if (user?.spending !== "prepaid" || budgets.length === 0) return false;
  const balance = await tryLoad(getBalance(store, user.id));
  const available = balance?.balanceNanoUsd;
  return available !== undefined && budgets.some(({ nanoUsd }) => nanoUsd > available);
}
