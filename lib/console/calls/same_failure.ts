import { offeredNames } from "../../catalog/mod.ts";
import { hasListed } from "../../store/catalog/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { knownModel } from "../../admin/upstreams/served_models.ts";
import type { OtherUpstreams } from "./call_fix.ts";
import { type LogBar, logBars } from "./log_bars.ts";

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
export async function readSameFailure(
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
    bars: logBars(alike.map(({ atMs }) => ({ atMs, requests: 1, failures: 1 })), period),
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
