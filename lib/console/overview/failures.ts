import type { LogFilter, RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import {
  apiLanguage,
  sentenceOfMany,
  type Verdict,
  type VerdictLanguage,
  verdictOf,
} from "../../verdict/mod.ts";
import { logFilterQuery } from "../calls/log_filter.ts";
import { readNewest } from "../calls/newest_calls.ts";
import { KeptRead } from "../page/reading.ts";

/** Failed calls with the same cause. */
export interface FailureGroup {
  /** Finds exactly these calls in the log. */
  readonly filter: LogFilter;
  readonly example: RequestLogRow;
  /** The cause, without what differs between the calls; absent if it is unknown. */
  readonly verdict?: Verdict;
  /** The record whose calls these are; absent for failures of an upstream, which the cause names. */
  readonly whose?: "key" | "account" | "group" | "project";
  readonly count: number;
  /** The e-mail address of the account, for readers who see several. */
  readonly email?: string;
}

/** The failed calls of some time, by cause. */
export interface FailedCalls {
  /** The most frequent first. */
  readonly groups: readonly FailureGroup[];
  /** True if there were more calls than are read. */
  readonly more: boolean;
  /** The start of the time. */
  readonly sinceMs: number;
}

/** Bounds the calls of an outage that are read. */
const readMax = 5_000;
/** From this number of calls on, the result is kept in memory: it takes long to read. */
const keptFrom = 200;
const kept = new KeptRead<Store, FailedCalls & { readonly read: number }>(({ read }) =>
  read >= keptFrom
);

/** The failed calls of an account since a time, by cause; without an account, those of everyone. */
export async function readFailures(
  store: Store,
  accountId: string | undefined,
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
): Promise<FailedCalls> {
  const read = () => readAll(store, sinceMs, accountId);
  return accountId ? await read() : await kept.get(store, { version: "", nowMs, read });
}

async function readAll(store: Store, sinceMs: number, accountId?: string) {
  const filter = { ...(accountId && { accountId }), status: "failed", fromMs: sinceMs };
  const { rows, more } = await readNewest(store, filter, readMax);
  const byCause = Map.groupBy(rows, (row) => logFilterQuery(causeOf(row).filter));
  const groups = await Promise.all([...byCause.values()].map((alike) => groupOf(store, alike)));
  return {
    groups: groups.sort((a, b) => b.count - a.count),
    ...{ more, sinceMs },
    read: rows.length,
  };
}

async function groupOf(store: Store, alike: readonly RequestLogRow[]): Promise<FailureGroup> {
  const [example] = alike;
  const cause = causeOf(example);
  const verdict = commonVerdict(alike);
  const isOfOne = cause.whose === "key" || cause.whose === "account";
  const email = isOfOne ? (await getUser(store, example.accountId))?.email : undefined;
  return {
    ...cause,
    ...{ example, count: alike.length },
    ...(verdict && { verdict }),
    ...(email && { email }),
  };
}

type Cause = Pick<FailureGroup, "filter" | "whose">;

/** The calls that failed for the same reason as this one: a filter of the log. */
function causeOf(row: RequestLogRow): Cause {
  const { status, errorCode, refusedBy, model } = row;
  const verdict = verdictOf(row);
  const failedBy = refusedBy?.name ?? verdict?.upstream;
  const whose = verdict?.upstream === undefined ? ownerOf(row) : undefined;
  const filter = {
    status: String(status),
    ...(errorCode !== undefined && { errorCode }),
    ...(failedBy !== undefined && { failedBy }),
    ...(verdict && namesModel(verdict) && { model }),
    ...(refusedBy?.name.startsWith("tag ") && { tag: refusedBy.ownerId }),
    ...(whose && idOf[whose](row)),
  };
  return { filter, ...(whose && { whose }) };
}

/** The record that a refusal is about: the owner of the limit, or else the key. */
function ownerOf({ refusedBy }: RequestLogRow): Cause["whose"] {
  const [owner] = refusedBy?.name.split(" ") ?? [];
  if (owner === "account" || owner === "group" || owner === "project") return owner;
  return owner === "organization" || owner === "tag" ? undefined : "key";
}

const idOf = {
  key: ({ keyId }) => ({ keyId }),
  account: ({ accountId }) => ({ accountId }),
  group: ({ groupId }) => ({ groupId }),
  project: ({ projectId }) => projectId === undefined ? {} : { projectId },
} as const satisfies Record<
  NonNullable<Cause["whose"]>,
  (row: RequestLogRow) => LogFilter
>;

function namesModel(verdict: Verdict): boolean {
  return sentenceOfMany({ ...verdict, ...unspecific }, apiLanguage).includes(verdict.model);
}

/** Facts of a verdict that may differ between calls with the same cause. */
const unspecific = { status: undefined, type: undefined, answered: false, oneUpstream: false };

/** The verdict on calls with the same cause, without the facts that differ between them. */
function commonVerdict(rows: readonly RequestLogRow[]): Verdict | undefined {
  const [first, ...others] = rows.map((row) => verdictOf(row));
  if (!first) return undefined;
  const { status: _, type: __, ...plain } = first;
  const isShared = (name: keyof Verdict) => others.every((one) => one?.[name] === first[name]);
  return {
    ...plain,
    ...(isShared("status") && first.status !== undefined && { status: first.status }),
    ...(isShared("type") && first.type !== undefined && { type: first.type }),
    answered: isShared("answered") && first.answered,
    oneUpstream: isShared("oneUpstream") && isShared("model") && first.oneUpstream,
  };
}

/** The cause of a group in one sentence. */
export function causeText(
  { verdict, example }: FailureGroup,
  language: VerdictLanguage,
): string {
  return verdict ? sentenceOfMany(verdict, language) : String(example.status);
}
