import { may, printedKeyName } from "../../accounts/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import { type FreshKeyFacts, readFreshKey } from "../connect/fresh_key.ts";
import type { CheckView } from "../connect/findings.ts";
import { keepWaiting, nothingYet, readCheck } from "../connect/live_check.ts";
import { takeFlash } from "../page/flash.ts";
import type { AccountState } from "../session/state.ts";
import { readStepsQuery, type StepsDone, type StepsQuery } from "./first_steps.ts";

/** The data of the first steps of an account. */
export interface StepsData {
  readonly query: StepsQuery;
  readonly done: StepsDone;
  /** The secret of a new key, shown once. */
  readonly secret?: string;
  /** Absent without a usable key. */
  readonly fresh: FreshKeyFacts | undefined;
  /** True for the key whose secret the start printed. */
  readonly isPrinted: boolean;
  /** The calls since the wait of a page without a script began. */
  readonly seen: CheckView;
}

interface StepsRequest {
  readonly req: Request;
  readonly url: URL;
  readonly state: AccountState;
  readonly ip: string | undefined;
}

/** Reads the page's data; a secret in the flash is deleted through `headers`. */
export async function readSteps(from: StepsRequest, headers: Headers): Promise<StepsData> {
  const { req, url, state } = from;
  const flash = await takeFlash(req, headers, state);
  const { name, secret } = flash?.type === "key-created" ? flash : {};
  const query = readStepsQuery(url.searchParams);
  const fresh = await readFreshKey(name, state, req.headers);
  const seen = fresh ? await seenSince(fresh, query, from) : nothingYet;
  const call = secret === undefined && (seen.connected || await hasAnswer(state));
  const done = { ...stepsBefore(query, state), call };
  const isPrinted = fresh?.apiKey.name === printedKeyName;
  return { query, done, secret, fresh, isPrinted, seen };
}

/** The steps before the call. Only who manages upstreams has one for the provider. */
export function stepsBefore(
  { builtIn }: StepsQuery,
  { account: { user }, services: { directory } }: AccountState,
): StepsDone {
  const provider = builtIn || directory.upstreams().length > 0;
  return { account: true, ...(may(user, "manage-upstreams") && { provider }) };
}

async function seenSince(
  { apiKey: key }: FreshKeyFacts,
  { sinceMs }: StepsQuery,
  { url: { origin }, state, ip }: StepsRequest,
): Promise<CheckView> {
  if (sinceMs === undefined) return nothingYet;
  await keepWaiting(key, state, ip);
  return await readCheck({ key, sinceMs, origin }, state);
}

async function hasAnswer({ services: { store }, account: { user } }: AccountState) {
  const filter = { accountId: user.id, status: "completed", limit: 1 } as const;
  return (await listRequestLogs(store, filter)).rows.length > 0;
}
