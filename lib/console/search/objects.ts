import { administeredBy, may } from "../../accounts/mod.ts";
import { listApiKeys } from "../../store/api_keys/mod.ts";
import { getChange, type Store } from "../../store/mod.ts";
import { listUsers } from "../../store/users/mod.ts";
import { lookUpCall, readRequestId } from "../../admin/calls.ts";
import { formatsFor } from "../page/format.ts";
import { groupsOf } from "../groups/account_groups.ts";
import { foundKeyRows, keyList } from "../keys/key_list.ts";
import { shownSecret } from "../../admin/keys/key_status.ts";
import { modelPath } from "../models/model_path.ts";
import { modelNames } from "../models/read_models.ts";
import { readQuery } from "../page/define_list.ts";
import { KeptRead } from "../page/kept_read.ts";
import type { Found, SearchRequest } from "./hits.ts";
import { rank } from "./rank.ts";

const nothing: Found = { hits: [], best: 0 };

/** Finds the call whose whole ID the text is. */
export async function findCalls({ state, text }: SearchRequest): Promise<Found> {
  const { services: { store, archive: place }, account: { user } } = state;
  const id = readRequestId(text);
  const call = id && await lookUpCall({ store, place }, { id, accountId: user.id });
  if (!call || call === "unreadable") return nothing;
  if (call.accountId !== user.id && !may(user, "see-all-accounts")) return nothing;
  const { ago } = formatsFor(state);
  const note = `${call.keyName}, ${ago(call.atMs)}`;
  return { hits: [{ name: call.model, note, href: `/console/log/${call.id}` }], best: 6 };
}

export async function findKeys({ state, text, most }: SearchRequest): Promise<Found> {
  if (text === "") return nothing;
  const who = may(state.account.user, "see-all-accounts") ? "everyone" : "mine";
  const all = await foundKeyRows(state, readQuery(keyList), who);
  const { rows, best } = rank(all, text, {
    most,
    searched: ({ apiKey, owner = "" }) => ({
      name: apiKey.name,
      more: [shownSecret(apiKey), apiKey.id, owner],
    }),
  });
  const hits = rows.map(({ apiKey, owner }) => ({
    name: apiKey.name,
    note: owner ? `${shownSecret(apiKey)}, ${owner}` : shownSecret(apiKey),
    href: `/console/token/${apiKey.id}`,
  }));
  return { hits, best };
}

export async function findModels({ state, text, most }: SearchRequest): Promise<Found> {
  if (text === "") return nothing;
  const { services: { store, directory }, account: { user } } = state;
  const keys = may(user, "manage-groups") ? [] : await listApiKeys(store, { accountId: user.id });
  const names = modelNames(state, groupsOf(user, keys, directory));
  return rankNames(names, { text, most }, modelPath);
}

interface SearchedUser {
  readonly id: string;
  readonly email: string;
}

/** The number of users from which they are kept in memory. */
const keptFrom = 200;
const keptUsers = new KeptRead<Store, readonly SearchedUser[]>(({ length }) => length > keptFrom);

export async function findUsers({ state, text, most }: SearchRequest): Promise<Found> {
  const { services: { store }, account: { user }, nowMs } = state;
  if (text === "" || !may(user, "see-all-accounts")) return nothing;
  const read = async () => (await listUsers(store)).map(({ id, email }) => ({ id, email }));
  const all = await keptUsers.get(store, { version: await getChange(store), nowMs, read });
  const { rows, best } = rank(all, text, {
    most,
    searched: ({ id, email }) => ({ name: email, more: [id] }),
  });
  const hits = rows.map(({ id, email }) => ({ name: email, href: `/console/admin/users/${id}` }));
  return { hits, best };
}

export function findUpstreams(search: SearchRequest): Found {
  const { state: { account: { user }, services: { directory } } } = search;
  if (!may(user, "manage-upstreams")) return nothing;
  const names = directory.upstreams().map(({ id }) => id);
  return rankNames(names, search, (id) => `/console/admin/upstreams/${encodeURIComponent(id)}`);
}

export function findGroups(search: SearchRequest): Found {
  const { state: { account: { user }, services: { directory } } } = search;
  if (!may(user, "manage-groups")) return nothing;
  const names = directory.groups().map(({ id }) => id);
  return rankNames(names, search, (id) => `/console/admin/groups/${encodeURIComponent(id)}`);
}

export function findProjects(search: SearchRequest): Found {
  const { state: { account: { user }, services: { directory } } } = search;
  const seesAll = may(user, "see-all-accounts");
  const projects = directory.projects();
  const names = (seesAll ? projects : administeredBy(user, projects)).map(({ id }) => id);
  const folder = seesAll ? "/console/admin/projects" : "/console/projects";
  return rankNames(names, search, (id) => `${folder}/${encodeURIComponent(id)}`);
}

function rankNames(
  names: readonly string[],
  { text, most }: Pick<SearchRequest, "text" | "most">,
  hrefOf: (name: string) => string,
): Found {
  const { rows, best } = rank(names, text, { most, searched: (name) => ({ name }) });
  return { hits: rows.map((name) => ({ name, href: hrefOf(name) })), best };
}
