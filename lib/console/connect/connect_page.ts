import { keyStatusOf } from "../../admin/keys/key_status.ts";
import { modelRows } from "../../admin/models/model_rows.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { groupsOf } from "../groups/account_groups.ts";
import { startModel } from "../models/start_model.ts";
import type { AccountState } from "../session/state.ts";
import type { CheckStep } from "./check_steps.ts";
import type { ModelFacts, System } from "./client.ts";
import { type ClientId, readClient, readSystem } from "./clients.ts";
import { type CheckView, whyUnusable } from "./findings.ts";
import { modelRowsOf } from "./gateway_check.ts";
import { keepWaiting, nothingYet, readCheck } from "./live_check.ts";

/** The parameters of the page's address. */
interface ConnectQuery {
  readonly client: ClientId;
  readonly system: System;
  readonly model: string | null;
  readonly keyId: string | null;
  /** The start of the wait, for pages without JavaScript. */
  readonly sinceMs?: number;
}

export interface ConnectData {
  readonly client: ClientId;
  readonly system: System;
  readonly keys: readonly Pick<ApiKey, "id" | "name">[];
  /** Absent if the account has no key. */
  readonly apiKey: ApiKey | undefined;
  /** The models that the key may call. */
  readonly models: readonly string[];
  readonly model: string | undefined;
  /** Its limits and prices, as far as known. */
  readonly facts: ModelFacts | undefined;
  readonly sinceMs: number;
  readonly looking: boolean;
  readonly seen: CheckView;
  /** The result of the gateway's own check. */
  readonly steps?: readonly CheckStep[];
  /** The reason why the pasted key could not be checked. */
  readonly fault?: string;
}

/**
 * Reads `?client=`, `?os=`, `?model=` and `?key=` for the set-up, and `?since=` for a page that
 * waits without a script.
 */
export function readConnectQuery(fields: URLSearchParams, headers: Headers): ConnectQuery {
  const sinceMs = Number(fields.get("since"));
  return {
    client: readClient(fields.get("client")),
    system: readSystem(fields.get("os"), headers.get("user-agent")),
    model: fields.get("model"),
    keyId: fields.get("key"),
    ...(Number.isSafeInteger(sinceMs) && sinceMs > 0 && { sinceMs }),
  };
}

/** The address of the page for a choice. */
export function connectPath(
  { client, system, model, apiKey }: Pick<ConnectData, "client" | "system" | "model" | "apiKey">,
  more: Readonly<Record<string, string>> = {},
): string {
  const fields = new URLSearchParams({
    client,
    os: system,
    ...(model !== undefined && { model }),
    ...(apiKey && { key: apiKey.id }),
    ...more,
  });
  return `/console/connect?${fields}`;
}

const keysMax = 200;

export async function readConnectData(
  { client, system, model, keyId, sinceMs }: ConnectQuery,
  state: AccountState,
  from: { readonly origin: string; readonly ip: string | undefined },
): Promise<ConnectData> {
  const { services: { store, directory }, account: { user }, nowMs } = state;
  const keys = await listApiKeys(store, { accountId: user.id });
  const groups = groupsOf(user, keys, directory);
  const apiKey = keys.find(({ id }) => id === keyId) ?? usableKey(keys, state) ?? keys[0];
  const rows = apiKey ? modelRowsOf(apiKey, state) : modelRows(groups, directory, nowMs);
  const models = rows.map(({ id }) => id);
  if (apiKey && sinceMs !== undefined) await keepWaiting(apiKey, state, from.ip);
  const chosen = models.find((id) => id === model) ?? startModel(rows, state);
  const live = { sinceMs: sinceMs ?? nowMs, origin: from.origin };
  return {
    client,
    system,
    keys: keys.slice(0, keysMax).map(({ id, name }) => ({ id, name })),
    apiKey,
    models,
    model: chosen,
    facts: rows.find(({ id }) => id === chosen),
    sinceMs: live.sinceMs,
    looking: sinceMs !== undefined,
    seen: apiKey && sinceMs !== undefined
      ? await readCheck({ key: apiKey, ...live }, state)
      : nothingYet,
  };
}

function usableKey(keys: readonly ApiKey[], state: AccountState): ApiKey | undefined {
  const groups = state.services.directory.groups();
  return keys.find((one) =>
    whyUnusable({ status: keyStatusOf(one, { groups, nowMs: state.nowMs }) }) === undefined
  );
}
