import { may } from "../../accounts/mod.ts";
import { lookUpCall, readRequestId } from "../../admin/calls.ts";
import { mayReadContent } from "../../admin/recordings.ts";
import { knownModel } from "../../admin/upstreams/served_models.ts";
import { offeredNames } from "../../catalog/mod.ts";
import { hasListed } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { recordedContentEnd } from "../../store/recordings/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import { verdictOf } from "../../verdict/mod.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { keyPath as keyPathOf } from "./call_words.ts";
import { fixOf, type OtherUpstreams } from "./call_fix.ts";
import { type LogBar, logBars } from "./log_bars.ts";

/** The data of a call, for its page and for the drawer. */
export type CallPage = Awaited<ReturnType<typeof readCallPage>>;
/** Of a call that the reader may see. */
export type FoundCall = CallPage & { readonly call: RequestLogRow };

/**
 * Reads a call with everything that explains a failure. Only administrators see other accounts'
 * calls; for anyone else they do not exist. `link` is the address of the call's page.
 */
export async function readCallPage(
  wanted: string,
  { state, linkOf }: { readonly state: AccountState; readonly linkOf: (id: string) => string },
) {
  const { services: { store, directory, archive: place }, account: { user }, nowMs } = state;
  const id = readRequestId(wanted);
  const result = id && await lookUpCall({ store, place }, { id, accountId: user.id });
  const isUnreadable = result === "unreadable";
  const found = isUnreadable || !result ? undefined : result;
  const own = found?.accountId === user.id;
  const seesAll = may(user, "calls:read");
  const call = own || seesAll ? found : undefined;
  const verdict = call && verdictOf(call);
  const same = verdict &&
    await tryLoad(readSameFailure(store, call, seesAll ? undefined : user.id));
  const untried = verdict && seesAll ? otherUpstreams(call, directory, nowMs) : undefined;
  const fix = verdict && fixOf(call, verdict, untried);
  const payer = call && !own ? await getUser(store, call.accountId) : undefined;
  const { contact } = directory.settings();
  const failed = { same, untried, fix, link: call ? linkOf(call.id) : "", contact };
  const content = call && await contentState(state, call);
  return { call, account: payer?.email, failed, isUnreadable, content };
}

/** Says whether request and answer are recorded, to those who may read them. */
async function contentState(
  { services: { store }, account: { user, viewer }, nowMs }: AccountState,
  call: RequestLogRow,
): Promise<ContentState | undefined> {
  const reader = viewer ?? user;
  if (!mayReadContent(reader, call)) return undefined;
  const expiresAtMs = await tryLoad(recordedContentEnd(store, call, nowMs));
  const isAudited = call.accountId !== reader.id;
  const keyPath = may(reader, "recordings:write") ? keyPathOf(call) : undefined;
  return { isAudited, keyPath, ...(expiresAtMs !== undefined && { expiresAtMs }) };
}

/** The state of a call's recorded content, for its page. */
export interface ContentState {
  /** The time of its deletion; absent if nothing is recorded. */
  readonly expiresAtMs?: number;
  /** True if the content is another user's, so that reading it is audited. */
  readonly isAudited: boolean;
  /** The page on which the call's key can be recorded; absent if the reader may not do so. */
  readonly keyPath?: string | undefined;
}

/** The calls that failed like one call, within the hour around it. */
export interface FailuresOfHour {
  readonly count: number;
  /** True if there may be more. */
  readonly more: boolean;
  readonly keys: number;
  readonly firstMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bars: readonly LogBar[];
}

/** Bounds the calls that are read. */
const readMax = 200;
const [hourMs, stepMs] = [3_600_000, 300_000];

/** Reads the failed calls of the model in that hour; undefined if the call is the only one. */
async function readSameFailure(
  store: Store,
  call: RequestLogRow,
  accountId: string | undefined,
): Promise<FailuresOfHour | undefined> {
  const toMs = (Math.floor(call.atMs / stepMs) + 2) * stepMs;
  const period = { fromMs: toMs - hourMs, toMs };
  const { rows, next } = await listRequestLogs(store, {
    ...period,
    ...(accountId !== undefined && { accountId }),
    model: call.model,
    status: "failed",
    limit: readMax,
  });
  const alike = rows.filter((row) => row.errorCode === call.errorCode);
  if (alike.length < 2) return undefined;
  return {
    ...period,
    count: alike.length,
    more: next !== undefined,
    keys: new Set(alike.map(({ keyId }) => keyId)).size,
    firstMs: Math.min(...alike.map(({ atMs }) => atMs)),
    bars: logBars(alike.map(({ atMs }) => ({ atMs, requests: 1, failures: 1 })), period, "UTC"),
  };
}

/** The enabled upstreams that a call did not try, by whether they serve its model now. */
export function otherUpstreams(
  { attempts = [], model }: RequestLogRow,
  directory: Directory,
  nowMs: number,
): OtherUpstreams {
  const tried = new Set(attempts.map(({ upstreamId }) => upstreamId));
  const untried = directory.upstreams().filter(({ id, enabled }) => enabled && !tried.has(id));
  const serves = untried.filter((one) => offeredNames(one, directory).includes(model));
  const others = untried.filter((one) => !serves.includes(one));
  return {
    serving: serves.map(({ id }) => id),
    others: others.map(({ id }) => id),
    lister: others.find(({ id, origin }) => origin === "console" && lists(id, model, directory))
      ?.id,
    isPriced: knownModel({ id: model }, directory, nowMs).price !== undefined,
  };
}

function lists(id: string, model: string, directory: Directory): boolean {
  const list = directory.upstreamLists().get(id);
  return list !== undefined && hasListed(list, model);
}
