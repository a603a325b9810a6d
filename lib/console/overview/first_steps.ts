import { may, printedKeyName } from "../../accounts/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import type { CheckView } from "../connect/findings.ts";
import { type FreshKeyFacts, readFreshKey } from "../connect/fresh_key.ts";
import { keepWaiting, nothingYet, readCheck } from "../connect/live_check.ts";
import { takeFlash } from "../page/flash.ts";
import type { AccountState } from "../session/state.ts";

/** The steps from a set-up link to the first answered call, in their order. */
const stepNames = ["account", "provider", "call"] as const;

export type StepName = typeof stepNames[number];

/** The done steps. Members have no step for the provider. */
export type StepsDone = Readonly<Partial<Record<StepName, boolean>>>;

interface FirstStep {
  readonly name: StepName;
  readonly state: "done" | "open" | "later";
}

/** The first step that is not done is open; the steps after it wait. */
export function firstSteps(done: StepsDone): readonly FirstStep[] {
  const names = stepNames.filter((name) => done[name] !== undefined);
  const open = openStep(done);
  return names.map((name) => ({
    name,
    state: name === open ? "open" : done[name] ? "done" : "later",
  }));
}

/** The step to take now; undefined if all are done. */
export function openStep(done: StepsDone): StepName | undefined {
  return stepNames.find((name) => done[name] === false);
}

const path = "/console/welcome";
const builtIn = "built-in";

/** The parameters of the page's address. */
export interface StepsQuery {
  /** True after the choice of the built-in model instead of a provider. */
  readonly builtIn: boolean;
  /** The start of the wait for a call, for pages without JavaScript. */
  readonly sinceMs?: number;
}

/** Reads `?provider=built-in`, and `?since=` for a page that waits without a script. */
export function readStepsQuery(fields: URLSearchParams): StepsQuery {
  const sinceMs = Number(fields.get("since"));
  return {
    builtIn: fields.get("provider") === builtIn,
    ...(Number.isSafeInteger(sinceMs) && sinceMs > 0 && { sinceMs }),
  };
}

/** The fields that keep the choices of the page in its address and its forms. */
export function stepsFields({ builtIn: isBuiltIn, sinceMs }: StepsQuery): Record<string, string> {
  return {
    ...(isBuiltIn && { provider: builtIn }),
    ...(sinceMs !== undefined && { since: String(sinceMs) }),
  };
}

/** The address of the first steps after the account. */
export function stepsPath(query: StepsQuery = { builtIn: false }): string {
  const fields = new URLSearchParams(stepsFields(query)).toString();
  return fields === "" ? path : `${path}?${fields}`;
}

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
  return { account: true, ...(may(user, "upstreams:write") && { provider }) };
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
