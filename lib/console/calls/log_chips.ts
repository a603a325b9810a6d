import { countRequestLogs, type LogFilter } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { AccountView } from "../page/view.ts";
import { endpointNames } from "./call_words.ts";
import { filterOf, type LogSearch, logSearchPath, without } from "./log_search.ts";

/** One active filter in words, and the same search without it. */
export interface LogChip {
  readonly field: keyof LogFilter | "period";
  readonly text: string;
  readonly search: LogSearch;
  readonly href: string;
}

/** The names of ids. */
interface LogNames {
  readonly keys: ReadonlyMap<string, string>;
  readonly accounts: ReadonlyMap<string, string>;
}

/** The active filters of a search, each removable. */
export function logChips(view: AccountView, search: LogSearch, names: LogNames): LogChip[] {
  const words = wordsFor(view, names);
  const { filter } = search;
  const fields = Object.keys(words) as (keyof typeof words)[]; // the table's own keys
  const chips = fields.flatMap((field) => {
    const text = words[field](filter);
    return text === undefined ? [] : [chipOf(field, text, search)];
  });
  const time = timeWords(view, search);
  return time === undefined ? chips : [...chips, chipOf("period", time, search)];
}

function chipOf(field: LogChip["field"], text: string, search: LogSearch): LogChip {
  const rest = without(search, field);
  return { field, text, search: rest, href: logSearchPath(rest) };
}

type Words = Readonly<
  Record<
    Exclude<keyof LogFilter, "fromMs" | "toMs">,
    (filter: LogFilter) => string | undefined
  >
>;

function wordsFor({ catalog, formats }: AccountView, names: LogNames): Words {
  const { log, usage, logPage } = catalog;
  const endpoints = endpointNames(catalog);
  const statuses: Readonly<Record<string, string>> = usage.statuses;
  const said = (name: string, value: string | undefined) => value && formats.pair(name, value);
  return {
    text: ({ text }) => text && `“${text}”`,
    accountId: ({ accountId: id }) => said(logPage.account, id && (names.accounts.get(id) ?? id)),
    keyId: ({ keyId: id }) => said(log.key, id && (names.keys.get(id) ?? id)),
    groupId: ({ groupId }) => said(logPage.group, groupId),
    projectId: ({ projectId }) => said(catalog.audit.fields.project, projectId),
    model: ({ model }) => said(log.model, model),
    upstreamId: ({ upstreamId }) => said(usage.upstream, upstreamId),
    status: ({ status }) => said(log.status, status && (statuses[status] ?? status)),
    errorCode: ({ errorCode }) => said(logPage.errorCode, errorCode),
    failedBy: ({ failedBy }) => said(logPage.failedBy, failedBy),
    format: ({ format }) => said(logPage.endpoint, format && endpoints[format]),
    tag: ({ tag }) => said(logPage.tag, tag),
    missed: ({ missed }) => missed && catalog.caches.latest,
    slowerThanMs: ({ slowerThanMs: ms }) => ms === undefined ? undefined : `> ${formats.span(ms)}`,
    dearerThanNanoUsd: ({ dearerThanNanoUsd: amount }) =>
      amount === undefined ? undefined : `> ${formats.money(amount)}`,
  };
}

function timeWords(
  { catalog: { logPage, periods }, formats }: AccountView,
  { filter: { fromMs, toMs }, period, since, until }: LogSearch,
): string | undefined {
  if (period) return { ...logPage.periods, ...periods.titles }[period];
  const begins = since ?? (fromMs === undefined ? undefined : formats.moment(fromMs));
  const ends = until ?? (toMs === undefined ? undefined : formats.moment(toMs));
  const parts = [begins && logPage.from(begins), ends && logPage.until(ends)];
  return parts.filter((part) => part).join(" ") || undefined;
}

/** The filter whose removal would find the most calls. */
export interface Exclusion {
  readonly chip: LogChip;
  readonly count: number;
  /** True if there may be more than `count`. */
  readonly more: boolean;
}

/** Maximum number of calls counted per filter, and of filters counted. */
const countMax = 100;
const chipsMax = 6;

/** The filter that excludes most calls of a search that found nothing; undefined if none does by itself. */
export async function mostExcluding(
  store: Store,
  chips: readonly LogChip[],
  ownId: string,
): Promise<Exclusion | undefined> {
  const counted = await Promise.all(
    chips.slice(0, chipsMax).map(async (chip) => ({
      chip,
      ...await countRequestLogs(store, filterOf(chip.search satisfies LogSearch, ownId), countMax),
    })),
  );
  const [most] = counted.sort((a, b) => b.count - a.count || Number(b.more) - Number(a.more));
  return most && most.count > 0 ? most : undefined;
}
