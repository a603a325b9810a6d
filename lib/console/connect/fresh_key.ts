import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { startModel } from "../models/start_model.ts";
import type { AccountState } from "../session/state.ts";
import type { ModelFacts, System } from "./client.ts";
import { readSystem } from "./clients.ts";
import { modelRowsOf } from "./gateway_check.ts";

/** A key whose secret is on the page, and the parameters of a first call. */
export interface FreshKeyFacts {
  readonly apiKey: ApiKey;
  /** Absent if the key may use no model. */
  readonly model: string | undefined;
  /** Its limits and prices, as far as known. */
  readonly facts: ModelFacts | undefined;
  readonly system: System;
  readonly sinceMs: number;
}

/** Returns the account's key of this name, or else a usable one; undefined if there is none. */
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
  const model = startModel(rows, state);
  const facts = rows.find(({ id }) => id === model);
  return { apiKey, model, facts, system, sinceMs: nowMs };
}
