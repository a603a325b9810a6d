import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { readSystem, type System } from "./clients.ts";
import { modelRowsOf } from "./gateway_check.ts";
import { defaultModel } from "../models/model_rows.ts";
import type { AccountState } from "../session/state.ts";

/** A key whose secret is on the page, and what a first call with it asks. */
export interface FreshKeyFacts {
  readonly apiKey: ApiKey;
  /** Absent where the key may use none. */
  readonly model: string | undefined;
  readonly system: System;
  readonly sinceMs: number;
}

/** The account's key of a name, else one that may be used; undefined where there is none. */
export async function readFreshKey(
  name: string | undefined,
  state: AccountState,
  headers: Headers,
): Promise<FreshKeyFacts | undefined> {
  const { services: { store }, account: { user }, nowMs } = state;
  const keys = await listApiKeys(store, { accountId: user.id });
  const apiKey = keys.find((one) => one.name === name) ?? keys.find(({ enabled }) => enabled);
  if (apiKey === undefined) return undefined;
  const rows = modelRowsOf(apiKey, state);
  const system = readSystem(null, headers.get("user-agent"));
  return { apiKey, model: defaultModel(rows, nowMs), system, sinceMs: nowMs };
}
