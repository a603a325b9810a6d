import { playgroundKeyId, playgroundKeyName } from "../../accounts/mod.ts";
import { listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { listSubjects, type RollupSubject } from "../../store/usage/mod.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";

/** Maximum number of models that a filter offers; the address may name others. */
const modelsMax = 200;

/** The options of the log's filter: the account's keys and groups, and the models that it called. */
export async function logChoices(
  { services: { store, directory }, account: { user } }: AccountState,
  withUpstreams: boolean,
) {
  const [keys, models] = await Promise.all([
    tryLoad(listApiKeys(store, { accountId: user.id })),
    tryLoad(modelsOf(store, user.id)),
  ]);
  const named = (keys ?? []).map(({ id, name }) => ({ id, name }));
  const groupIds = withUpstreams
    ? directory.groups().map(({ id }) => id)
    : [...new Set((keys ?? []).map(({ groupId }) => groupId))];
  return {
    keys: [
      ...named.sort((a, b) => a.name < b.name ? -1 : 1),
      { id: playgroundKeyId(user.id), name: playgroundKeyName },
    ],
    models: models ?? [],
    groups: groupIds.sort(),
    ...(withUpstreams && {
      upstreams: directory.upstreams().map(({ id }) => id),
      projects: directory.projects().map(({ id }) => id),
    }),
  };
}

async function modelsOf(store: Store, accountId: string): Promise<string[]> {
  const found: RollupSubject[] = [];
  for await (const subject of listSubjects(store, "model", accountId)) {
    if (found.push(subject) === modelsMax) break;
  }
  return found.map(({ value }) => value);
}
