import type { ChangeOptions } from "../store/audit/mod.ts";
import type { Store } from "../store/mod.ts";
import { getProject, type Project, updateProject } from "../store/projects/mod.ts";
import { updateUser, type User } from "../store/users/mod.ts";

/**
 * Archives a project, whose keys are then refused, or restores it. Returns undefined if there is no
 * such project.
 */
export function archiveProject(
  store: Store,
  id: string,
  { archivedAtMs, audit }: Pick<ChangeOptions<Project>, "audit"> & {
    /** Absent to restore it. */
    readonly archivedAtMs?: number;
  },
): Promise<Project | undefined> {
  return updateProject(store, id, ({ archivedAtMs: _, ...project }) => ({
    ...project,
    ...(archivedAtMs !== undefined && { archivedAtMs }),
  }), { audit });
}

/**
 * Moves an account to a project; undefined makes it a project of one. Its earlier calls stay with
 * the project that they were made in. Returns undefined if the account or the project is unknown, or
 * the project is archived: all keys of the account would be refused.
 */
export async function moveAccount(
  store: Store,
  accountId: string,
  projectId: string | undefined,
  { audit }: Pick<ChangeOptions<User>, "audit"> = {},
): Promise<User | undefined> {
  if (projectId !== undefined) {
    const project = await getProject(store, projectId);
    if (project === undefined || project.archivedAtMs !== undefined) return undefined;
  }
  return await updateUser(store, accountId, ({ projectId: _, ...user }) => ({
    ...user,
    ...(projectId !== undefined && { projectId }),
  }), { audit });
}

/** The enabled projects that a user administers. */
export function administeredBy(
  { id }: Pick<User, "id">,
  projects: readonly Project[],
): readonly Project[] {
  return projects.filter(({ administrators, archivedAtMs }) =>
    archivedAtMs === undefined && administrators.includes(id)
  );
}
