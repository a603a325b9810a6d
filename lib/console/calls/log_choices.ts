import { may, playgroundKeyId, playgroundKeyName } from "../../accounts/mod.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { listSubjects, type RollupSubject } from "../../store/usage/mod.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";
import type { LogSearch } from "./log_search.ts";

/** Maximum number of models and of keys that a filter offers; the address may name others. */
const choicesMax = 200;

/** The options of the log's filters, of one account or of everyone. */
export async function logChoices(
  { services: { store, directory }, account: { user } }: AccountState,
  { everybody, filter }: LogSearch,
) {
  const accountId = everybody ? filter.accountId : user.id;
  const [keys, models] = await Promise.all([
    tryLoad(listApiKeys(store, { accountId })),
    tryLoad(modelsOf(store, accountId)),
  ]);
  const seesAll = may(user, "see-all-accounts");
  const groupIds = seesAll
    ? directory.groups().map(({ id }) => id)
    : [...new Set((keys ?? []).map(({ groupId }) => groupId))];
  return {
    keys: [
      ...offered(keys ?? []),
      { id: playgroundKeyId(accountId ?? user.id), name: playgroundKeyName },
    ],
    models: models ?? [],
    groups: groupIds.sort(),
    ...(seesAll && {
      upstreams: directory.upstreams().map(({ id }) => id),
      projects: directory.projects().map(({ id }) => id),
    }),
  };
}

/** The keys that were used last, by name. */
function offered(keys: readonly ApiKey[]) {
  return keys
    .toSorted((a, b) => (b.lastUsedAtMs ?? 0) - (a.lastUsedAtMs ?? 0))
    .slice(0, choicesMax)
    .map(({ id, name }) => ({ id, name }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

async function modelsOf(store: Store, accountId = ""): Promise<string[]> {
  const found: RollupSubject[] = [];
  for await (const subject of listSubjects(store, "model", accountId)) {
    if (found.push(subject) === choicesMax) break;
  }
  return found.map(({ value }) => value);
}
