import { administeredBy, may } from "../../accounts/mod.ts";
import { lookUpCall, readRequestId } from "../../admin/calls.ts";
import { shownSecret } from "../../admin/keys/key_status.ts";
import { searchDocs } from "../../docs/mod.ts";
import { listApiKeys } from "../../store/api_keys/mod.ts";
import { getChange, type Store } from "../../store/mod.ts";
import { listUsers } from "../../store/users/mod.ts";
import { groupsOf } from "../groups/account_groups.ts";
import { foundKeyRows, keyList } from "../keys/key_list.ts";
import { modelPath } from "../models/model_list.ts";
import { modelNames } from "../models/read_models.ts";
import { readQuery } from "../page/define_list.ts";
import { formatsFor } from "../page/format.ts";
import { KeptRead, tryLoad } from "../page/reading.ts";
import { opens } from "../session/access.ts";
import type { AccountState } from "../session/state.ts";
import { actionEntries, type FixedEntry, pageEntries, settingEntries } from "./entries.ts";
import { rank } from "./rank.ts";

const nothing: Found = { hits: [], best: 0 };

/** Finds the call whose whole ID the text is. */
async function findCalls({ state, text }: SearchRequest): Promise<Found> {
  const { services: { store, archive: place }, account: { user } } = state;
  const id = readRequestId(text);
  const call = id && await lookUpCall({ store, place }, { id, accountId: user.id });
  if (!call || call === "unreadable") return nothing;
  if (call.accountId !== user.id && !may(user, "calls:read")) return nothing;
  const { ago } = formatsFor(state);
  const note = `${call.keyName}, ${ago(call.atMs)}`;
  return { hits: [{ name: call.model, note, href: `/console/log/${call.id}` }], best: 6 };
}

async function findKeys({ state, text, most }: SearchRequest): Promise<Found> {
  if (text === "" || !opens(state.account.user.role, "/console/token")) return nothing;
  const who = may(state.account.user, "keys:read") ? "everyone" : "mine";
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

async function findModels({ state, text, most }: SearchRequest): Promise<Found> {
  if (text === "") return nothing;
  const { services: { store, directory }, account: { user } } = state;
  const keys = may(user, "groups:read") ? [] : await listApiKeys(store, { accountId: user.id });
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

async function findUsers({ state, text, most }: SearchRequest): Promise<Found> {
  const { services: { store }, account: { user }, nowMs } = state;
  if (text === "" || !may(user, "users:read")) return nothing;
  const read = async () => (await listUsers(store)).map(({ id, email }) => ({ id, email }));
  const all = await keptUsers.get(store, { version: await getChange(store), nowMs, read });
  const { rows, best } = rank(all, text, {
    most,
    searched: ({ id, email }) => ({ name: email, more: [id] }),
  });
  const hits = rows.map(({ id, email }) => ({ name: email, href: `/console/admin/users/${id}` }));
  return { hits, best };
}

function findUpstreams(search: SearchRequest): Found {
  const { state: { account: { user }, services: { directory } } } = search;
  if (!may(user, "upstreams:read")) return nothing;
  const names = directory.upstreams().map(({ id }) => id);
  return rankNames(names, search, (id) => `/console/admin/upstreams/${encodeURIComponent(id)}`);
}

function findGroups(search: SearchRequest): Found {
  const { state: { account: { user }, services: { directory } } } = search;
  if (!may(user, "groups:read")) return nothing;
  const names = directory.groups().map(({ id }) => id);
  return rankNames(names, search, (id) => `/console/admin/groups/${encodeURIComponent(id)}`);
}

function findProjects(search: SearchRequest): Found {
  const { state: { account: { user }, services: { directory } } } = search;
  const seesAll = may(user, "projects:read");
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

/** Finds sections of the documents. */
async function findDocs({ text, most }: SearchRequest): Promise<Found> {
  if (text === "") return nothing;
  const all = await searchDocs(text, { all: true });
  const hits = all.slice(0, most).map(({ page, heading, href }) => ({
    name: heading || page,
    ...heading && { note: page },
    href,
  }));
  return { hits, best: rank(hits, text, { most, searched: (one) => one }).best };
}

/** Finds entries that every reader of a role has; without a text, all of them. */
function findKnown(entriesOf: (state: AccountState) => readonly FixedEntry[]) {
  return ({ state, text, most }: SearchRequest): Found => {
    const all = entriesOf(state);
    const { rows, best } = text === ""
      ? { rows: all, best: 0 }
      : rank(all, text, { most, searched: (one) => one });
    return { hits: rows.map(({ name, href }) => ({ name, href })), best };
  };
}

function findSettings(search: SearchRequest): Found {
  return search.text === "" ? nothing : findKnown(settingEntries)(search);
}

const finders = {
  calls: findCalls,
  keys: findKeys,
  models: findModels,
  users: findUsers,
  upstreams: findUpstreams,
  groups: findGroups,
  projects: findProjects,
  pages: findKnown(pageEntries),
  actions: findKnown(actionEntries),
  settings: findSettings,
  docs: findDocs,
} as const satisfies Record<HitKind, (search: SearchRequest) => Found | Promise<Found>>;

/**
 * Finds what the reader's role may see: members their own keys, calls and projects, others
 * everyone's. The group with the best hit comes first. A kind that cannot be read is left out.
 */
export async function searchConsole(search: SearchRequest): Promise<readonly HitGroup[]> {
  const groups = await Promise.all(hitKinds.map(async (kind) => {
    const found = await tryLoad(Promise.resolve(finders[kind](search)));
    return { kind, hits: found?.hits ?? [], best: found?.best ?? 0 };
  }));
  return groups.filter(({ hits }) => hits.length > 0).sort((a, b) => b.best - a.best);
}

/** The kinds of hits, in the order in which equally good ones are shown. */
const hitKinds = [
  "calls",
  "keys",
  "models",
  "users",
  "upstreams",
  "groups",
  "projects",
  "pages",
  "actions",
  "settings",
  "docs",
] as const;
export type HitKind = typeof hitKinds[number];

/** Something that a search found. It never holds more of a secret than its last four characters. */
interface Hit {
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly note?: string;
  readonly href: string;
}

/** The hits of one kind, best first. */
export interface HitGroup {
  readonly kind: HitKind;
  readonly hits: readonly Hit[];
  /** The score of the first hit. */
  readonly best: number;
}

type Found = Omit<HitGroup, "kind">;

/** A search by one reader. */
interface SearchRequest {
  readonly state: AccountState;
  readonly text: string;
  /** The most hits of a kind. */
  readonly most: number;
}
