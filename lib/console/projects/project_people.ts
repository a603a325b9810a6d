import { usageTable } from "../../ledger/mod.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { addCounts, type Counts, noCounts, type RollupDimension } from "../../store/usage/mod.ts";
import { listUsers, type User } from "../../store/users/mod.ts";
import { defineList, type FilteredPage, listPage, readQuery } from "../page/define_list.ts";
import { type FieldRule, option, search } from "../page/list_fields.ts";
import type { PeriodSpan } from "../page/period.ts";
import type { AccountState } from "../session/state.ts";

/** A member of a project, and the calls within it in a period. */
export interface ProjectMember {
  readonly member: User;
  readonly keyCount: number;
  readonly counts: Counts;
}

/** A key of a member, and its calls within the project in a period. */
interface ProjectKey {
  readonly apiKey: ApiKey;
  readonly owner: User;
  readonly counts: Counts;
}

/** The two lists of a project's page, of which it shows one. */
export const projectLists = ["members", "keys"] as const;

/** The fields of the page's address that links of a list keep. */
const kept = {
  show: option(projectLists),
  ...Object.fromEntries(
    ["period", "since", "until", "by", "tag_key", "measure", "at"].map((name) => [name, keep()]),
  ),
};

function keep(): FieldRule<unknown> {
  return { read: (text) => text, kind: "option" };
}

const usual = { column: "spend", descending: true } as const;
const spendOf = ({ counts }: { readonly counts: Counts }) => counts.costNanoUsd;
const callsOf = ({ counts }: { readonly counts: Counts }) => counts.requests;

export const memberList = defineList<ProjectMember>()({
  path: "/console/projects",
  fields: { q: search(({ member }) => [member.email]), ...kept },
  sort: {
    columns: {
      name: ({ member }) => member.email,
      keys: ({ keyCount }) => keyCount,
      calls: callsOf,
      spend: spendOf,
    },
    usual,
    descendingFirst: ["keys", "calls", "spend"],
    then: (a, b) => a.member.email < b.member.email ? -1 : 1,
  },
});

export const projectKeyList = defineList<ProjectKey>()({
  path: "/console/projects",
  fields: { q: search(({ apiKey, owner }) => [`${apiKey.name} ${owner.email}`]), ...kept },
  sort: {
    columns: {
      name: ({ apiKey }) => apiKey.name.toLowerCase(),
      owner: ({ owner }) => owner.email,
      used: ({ apiKey }) => apiKey.lastUsedAtMs,
      calls: callsOf,
      spend: spendOf,
    },
    usual,
    descendingFirst: ["used", "calls", "spend"],
    then: (a, b) => a.apiKey.name < b.apiKey.name ? -1 : 1,
  },
});

/** One of the two lists of a project's page. */
export type PeopleList =
  | {
    readonly show: "members";
    readonly query: ReturnType<typeof memberQuery>;
    readonly page: FilteredPage<ProjectMember>;
  }
  | {
    readonly show: "keys";
    readonly query: ReturnType<typeof keyQuery>;
    readonly page: FilteredPage<ProjectKey>;
  };

const memberQuery = ({ searchParams, pathname }: URL) =>
  readQuery(memberList, searchParams, pathname);
const keyQuery = ({ searchParams, pathname }: URL) =>
  readQuery(projectKeyList, searchParams, pathname);

/** The list that `?show=` names, with the spend of a period. */
export async function readPeople(
  projectId: string,
  { state, url, span }: {
    readonly state: AccountState;
    readonly url: URL;
    readonly span: PeriodSpan;
  },
): Promise<PeopleList> {
  const { services } = state;
  const [all, keys] = await Promise.all([listUsers(services.store), listApiKeys(services.store)]);
  const members = all.filter((user) => user.projectId === projectId);
  const query = memberQuery(url);
  if (query.fields.show === "keys") {
    const used = await usedIn(services.store, { dimension: "projectKey", projectId, span });
    const owners = new Map(members.map((member) => [member.id, member]));
    const rows = keys.flatMap((apiKey): ProjectKey[] => {
      const owner = owners.get(apiKey.accountId);
      return owner ? [{ apiKey, owner, counts: used.get(apiKey.id) ?? noCounts }] : [];
    });
    const asked = keyQuery(url);
    const page = await listPage(projectKeyList, rows, { query: asked, services });
    return { show: "keys", query: asked, page };
  }
  const used = await usedIn(services.store, { dimension: "projectAccount", projectId, span });
  const owned = Map.groupBy(keys, ({ accountId }) => accountId);
  const rows = members.map((member): ProjectMember => ({
    member,
    keyCount: owned.get(member.id)?.length ?? 0,
    counts: used.get(member.id) ?? noCounts,
  }));
  return { show: "members", query, page: await listPage(memberList, rows, { query, services }) };
}

/** The calls of each subject within a project in a period, by its id. */
async function usedIn(store: Store, { dimension, projectId, span }: {
  readonly dimension: RollupDimension;
  readonly projectId: string;
  readonly span: PeriodSpan;
}): Promise<ReadonlyMap<string, Counts>> {
  const parts = { startsMs: span.starts, toMs: span.toMs };
  const table = await usageTable(store, { dimension, scope: projectId }, parts);
  return new Map(
    table.map(({ subject, parts }) => [subject.value, parts.reduce(addCounts, noCounts)]),
  );
}
