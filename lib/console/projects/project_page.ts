import { HttpError } from "fresh";
import { administeredBy, may } from "../../accounts/mod.ts";
import { boundsOfSubject } from "../../admin/effective_bounds.ts";
import type { EffectiveBounds } from "../../ledger/mod.ts";
import { getProject, type Project } from "../../store/projects/mod.ts";
import { subjects } from "../../store/usage/mod.ts";
import { getUser, listUsers, type User } from "../../store/users/mod.ts";
import { readSubjectUsage, type SteppedUsage } from "../keys/subject_usage.ts";
import { longestPeriod, readPeriod } from "../page/period.ts";
import { recordAt, tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { type ProjectFaults, type ProjectValues, projectValues } from "./project_form.ts";
import { type ProjectRow, projectRow } from "./project_list.ts";

/** The data of the page of one project. */
export interface ProjectPageData {
  readonly row: ProjectRow;
  /** Undefined values could not be read. */
  readonly usage?: SteppedUsage;
  readonly bounds?: EffectiveBounds;
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

/** The data of a project's page with the usage of `?period=`, except for a posted form. */
export async function projectPageData(
  project: Project,
  { state, url }: { readonly state: AccountState; readonly url: URL },
): Promise<ProjectPageData> {
  const users = await listUsers(state.services.store);
  const used = await projectUse(project, { state, url });
  return { ...used, values: projectValues(project, users), faults: {} };
}

/** A project and its usage of `?period=`. */
export async function projectUse(
  project: Project,
  { state, url }: { readonly state: AccountState; readonly url: URL },
): Promise<Pick<ProjectPageData, "row" | "usage" | "bounds">> {
  const { services: { store }, nowMs } = state;
  const period = readPeriod(url.searchParams, longestPeriod);
  const whole = subjects.project(project.id);
  const [row, usage, bounds] = await Promise.all([
    projectRow(project, state),
    tryLoad(readSubjectUsage(store, { whole }, { period, nowMs })),
    tryLoad(boundsOfSubject({ type: "project", project }, state)),
  ]);
  return { row, usage, bounds };
}
