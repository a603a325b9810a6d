import { playgroundKeyId, playgroundKeyName } from "../../accounts/mod.ts";
import { readLedgerEntryId } from "../../admin/funds.ts";
import { type CsvCell, decimalUsd } from "../../canonical/mod.ts";
import { readUsd, refundReasons } from "../../funds/mod.ts";
import { listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  type Balance,
  changeOf,
  type EntryPage,
  type EntryType,
  entryTypes,
  getBalance,
  getEntry,
  getHeld,
  type LedgerEntry,
  type ListedEntry,
  listEntries,
  listPayments,
  type Payment,
  usageEntriesOf,
  walletId,
  type WalletSources,
  walletSources,
} from "../../store/money/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { defineList, pageRowsOf, type QueryOf, readQuery } from "../page/define_list.ts";
import { csvOf, csvTime } from "../page/download.ts";
import { choice } from "../page/list_fields.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";

/** The data of the wallet page; undefined values could not be read. */
export interface BalanceData {
  readonly balance?: Balance;
  /** The usage of the last seven days, in nano-dollars. */
  readonly weekNanoUsd: bigint;
  /** The amount reserved for calls in flight. */
  readonly heldNanoUsd?: bigint;
  /** The sources of the money. */
  readonly sources?: WalletSources;
  readonly history?: EntryPage;
  readonly query: HistoryQuery;
  readonly keyNames: ReadonlyMap<string, string>;
  /** Open payments, newest first. */
  readonly underWay: readonly Payment[];
  /** The bounds of a payment, in nano-dollars; absent without payments. */
  readonly bounds?: AmountBounds;
}

const paymentsShown = 20;
const dayMs = 86_400_000;
const weekDays = 7;

/** The entries of a wallet, newest first. */
export const historyList = defineList<ListedEntry>()({
  path: "/console/topup",
  fields: { kind: choice(entryTypes) },
  cursor: readLedgerEntryId,
});
type HistoryQuery = QueryOf<typeof historyList>;

export interface AmountBounds {
  readonly min: bigint;
  readonly max: bigint;
}

export async function readBalance(
  state: AccountState,
  query: HistoryQuery = readQuery(historyList),
): Promise<BalanceData> {
  const { services: { store, payments }, account: { user } } = state;
  const unlimited = user.spending === "unlimited";
  const page = { before: query.before, type: query.fields.kind };
  const [balance, weekNanoUsd, history, keys, latest, held, sources] = await Promise.all([
    tryLoad(getBalance(store, user.id)),
    tryLoad(usedInWeek(store, user.id, state.nowMs)),
    tryLoad(listEntries(store, user.id, { ...page, limit: pageRowsOf(state.services) })),
    tryLoad(listApiKeys(store, { accountId: user.id })),
    tryLoad(listPayments(store, user.id, paymentsShown)),
    unlimited ? undefined : tryLoad(getHeld(store, walletId(user.id))),
    tryLoad(walletSources(store, user.id)),
  ]);
  const limits = payments?.limits;
  return {
    balance,
    weekNanoUsd: weekNanoUsd ?? 0n,
    heldNanoUsd: held,
    sources,
    history,
    query,
    keyNames: new Map([
      [playgroundKeyId(user.id), playgroundKeyName],
      ...(keys ?? []).map(({ id, name }) => [id, name] as const),
    ]),
    underWay: (latest ?? []).filter(({ status }) => status === "open" || status === "processing"),
    ...(limits && { bounds: paymentBounds(limits) }),
  };
}

/** The amount of a redemption; undefined if the entry is not one. */
export async function redeemedAmount(
  store: Store,
  accountId: string,
  entryId: string | undefined,
): Promise<bigint | undefined> {
  const entry = entryId && await getEntry(store, accountId, entryId);
  return entry && entry.type === "redemption" ? entry.amountNanoUsd : undefined;
}

/**
 * The number of days that the balance lasts at the last week's pace; undefined if nothing was
 * spent.
 */
export function daysLeft(balanceNanoUsd: bigint, weekNanoUsd: bigint): number | undefined {
  if (weekNanoUsd <= 0n || balanceNanoUsd <= 0n) return undefined;
  return Number(balanceNanoUsd * BigInt(weekDays) / weekNanoUsd);
}

const nanoPerUsd = 1_000_000_000n;
const presetsUsd = [5n, 10n, 25n, 50n, 100n, 250n, 500n, 1_000n];
const presetsShown = 4;

/** The amounts that can be paid in, from the limits in USD. */
export function paymentBounds(
  { paymentUsdMin, paymentUsdMax }: {
    readonly paymentUsdMin: number;
    readonly paymentUsdMax: number;
  },
): AmountBounds {
  return { min: BigInt(paymentUsdMin) * nanoPerUsd, max: BigInt(paymentUsdMax) * nanoPerUsd };
}

/** The preset amounts; with many, the smallest is left out. */
export function amountChoices({ min, max }: AmountBounds): bigint[] {
  const possible = presetsUsd.map((usd) => usd * nanoPerUsd)
    .filter((amount) => amount >= min && amount <= max);
  const first = possible.length > presetsShown ? 1 : 0;
  return possible.slice(first, first + presetsShown);
}

/** Rounds a balance of at least a dollar down to the cent. */
export function roundedBalance(nanoUsd: bigint): bigint {
  return nanoUsd < nanoPerUsd ? nanoUsd : nanoUsd - nanoUsd % (nanoPerUsd / 100n);
}

/** The amount in the form, in nano-dollars: the chosen preset, or the custom amount. */
export function readAmount(form: URLSearchParams): bigint | undefined {
  const choice = form.get("amount") ?? "other";
  return readUsd(choice === "other" ? form.get("other") ?? "" : choice);
}

/**
 * An account's usage of the last seven days, today (UTC) included, in nano-dollars: the pace that
 * `daysLeft` assumes.
 */
export function usedInWeek(store: Store, accountId: string, nowMs: number): Promise<bigint> {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  return usedSince(store, accountId, todayMs - (weekDays - 1) * dayMs);
}

async function usedSince(store: Store, accountId: string, sinceMs: number): Promise<bigint> {
  let sum = 0n;
  for await (const { atMs, amountNanoUsd } of usageEntriesOf(store, accountId)) {
    if (atMs < sinceMs) return sum;
    sum += amountNanoUsd;
  }
  return sum;
}

/** The subject of an entry: the gateway's texts in the reader's language, reasons as their authors wrote them. */
export function aboutEntry(
  { type, reason, reference }: LedgerEntry,
  { history }: Catalog,
  keyNames: ReadonlyMap<string, string>,
): string {
  switch (type) {
    case "usage":
      return keyNames.get(reference ?? "") ?? history.deletedKey;
    case "redemption":
      return reason.replace(/^Code /, "");
    case "payment":
      return reference ?? reason;
    case "refund":
      return refundWords(reason, history);
    case "grant":
    case "adjustment":
      return reason;
    default:
      return type satisfies never;
  }
}

function refundWords(reason: string, { refunds }: Catalog["history"]): string {
  for (const [name, text] of Object.entries(refundReasons)) {
    if (text === reason) return refunds[name as keyof typeof refunds]; // both tables have the same names
  }
  return reason;
}

const columns = {
  id: ({ id }) => id,
  time: ({ atMs }) => csvTime(atMs),
  kind: ({ type }) => type,
  about: ({ reason }) => reason,
  reference: ({ reference }) => reference,
  amount_usd: (entry) => decimalUsd(changeOf(entry)),
  balance_usd: ({ balanceNanoUsd }) => decimalUsd(balanceNanoUsd),
} as const satisfies Record<string, (entry: ListedEntry) => CsvCell>;
const pageRows = 500;

/**
 * The entries of an account, newest first, as CSV in pieces. Times are ISO 8601 in UTC, amounts are
 * USD to the nano-dollar; the balance is the one after the entry.
 */
export function exportEntries(
  store: Store,
  accountId: string,
  type: EntryType | undefined,
): AsyncGenerator<string> {
  return csvOf(columns, entryPages(store, accountId, type));
}

async function* entryPages(
  ...[store, accountId, type]: Parameters<typeof exportEntries>
): AsyncGenerator<readonly ListedEntry[]> {
  let before: string | undefined;
  do {
    const page = await listEntries(store, accountId, { before, type, limit: pageRows });
    yield page.entries;
    before = page.next;
  } while (before !== undefined);
}
