import { HttpError } from "fresh";
import { administeredBy, may } from "../../accounts/mod.ts";
import { boundsOfSubject } from "../../admin/effective_bounds.ts";
import type { EffectiveBounds } from "../../ledger/mod.ts";
import type { Store } from "../../store/mod.ts";
import { getProject, type Project, tagOfText } from "../../store/projects/mod.ts";
import { listSubjects } from "../../store/usage/mod.ts";
import { getUser, listUsers, type User } from "../../store/users/mod.ts";
import { namesIn, type SpendNames } from "../overview/spend_names.ts";
import { readSpendQuery, type SpendQuery } from "../overview/spend_query.ts";
import { readSpending, type Spending } from "../overview/spending.ts";
import { recordAt, tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { type ProjectFaults, type ProjectValues, projectValues } from "./project_form.ts";
import { type ProjectRow, projectRow } from "./project_list.ts";
import { type PeopleList, readPeople } from "./project_people.ts";

/** The data of the page of one project, except for its form. */
export interface ProjectUse {
  readonly row: ProjectRow;
  readonly query: SpendQuery;
  readonly tagKeys: readonly string[];
  /** Undefined if it could not be read. */
  readonly spending?: Spending;
  readonly names: SpendNames;
  readonly people: PeopleList;
  readonly bounds?: EffectiveBounds;
}

/** The data of the page of one project. */
export interface ProjectPageData extends ProjectUse {
  readonly values: ProjectValues;
  readonly faults: ProjectFaults;
}

/** The project in the address. */
export const projectAt = recordAt(getProject);

/** The same, for its administrators and those of the gateway. */
export async function managedProjectAt(id: string, state: AccountState): Promise<Project> {
  const project = await projectAt(id, state);
  const { user } = state.account;
  const isManager = may(user, "projects:write") || administeredBy(user, [project]).length > 0;
  if (!isManager) throw new HttpError(404);
  return project;
}

/**
 * A member of a project. Throws `HttpError` with 404 for every other account, and for one whose role
 * only administrators of the gateway may touch.
 */
export async function memberAt(
  id: string,
  project: Project,
  { services, account }: AccountState,
): Promise<User> {
  const member = id.length <= 100 ? await getUser(services.store, id) : undefined;
  if (!member || member.projectId !== project.id) throw new HttpError(404);
  const isHigher = member.role !== "member" && !may(account.user, "users:write");
  if (isHigher) throw new HttpError(404);
  return member;
}

/** The data of a project's page with its spend and its lists, except for a posted form. */
export async function projectPageData(
  project: Project,
  { state, url }: { readonly state: AccountState; readonly url: URL },
): Promise<ProjectPageData> {
  const users = await listUsers(state.services.store);
  const used = await projectUse(project, { state, url });
  return { ...used, values: projectValues(project, users), faults: {} };
}

/** A project, its spend in a period, and its members or keys. */
export async function projectUse(
  project: Project,
  { state, url }: { readonly state: AccountState; readonly url: URL },
): Promise<ProjectUse> {
  const { services: { store }, nowMs } = state;
  const { id } = project;
  const tagKeys = await projectTagKeys(store, id);
  const query = readSpendQuery(url.searchParams, state, { id, tagKeys });
  const [row, spending, people, bounds] = await Promise.all([
    projectRow(project, state),
    tryLoad(readSpending(store, undefined, { ...query, nowMs })),
    readPeople(id, { state, url, span: query.span }),
    tryLoad(boundsOfSubject({ type: "project", project }, state)),
  ]);
  const names = spending && await tryLoad(namesIn(store, spending, query));
  return { row, query, tagKeys, spending, names: names ?? new Map(), people, bounds };
}

/** The keys of the tags of a project's calls, in order. */
export async function projectTagKeys(store: Store, id: string): Promise<readonly string[]> {
  const tags = await Array.fromAsync(listSubjects(store, "projectTag", id));
  return [...new Set(tags.map(({ value }) => tagOfText(value).key))].sort();
}
