import { z } from "zod";
import type { AuditOptions, ChangeOptions } from "../store/audit/mod.ts";
import type { Store } from "../store/mod.ts";
import { getProject, type Project, updateProject } from "../store/projects/mod.ts";
import { updateUser, type User } from "../store/users/mod.ts";

/** Names of pages at the addresses of project pages. */
const reservedIds: ReadonlySet<string> = new Set(["new", "organization", "tags"]);
const [patternsMax, patternCharsMax, administratorsMax] = [5_000, 200, 100];

/** A project's name: 1 to 64 letters, digits, dots, dashes and underscores. */
export const projectIdSchema = z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/)
  .refine((id) => !reservedIds.has(id));

/** A project's patterns of model names. */
export const projectModelsSchema = z.array(z.string().min(1).max(patternCharsMax))
  .min(1).max(patternsMax);

/** The ids of a project's administrators. */
export const projectAdministratorsSchema = z.array(z.string().min(1).max(100))
  .max(administratorsMax);

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
 * the project that they were made in. Returns undefined if the account or the project is unknown.
 */
export async function moveAccount(
  store: Store,
  accountId: string,
  projectId: string | undefined,
  { audit }: AuditOptions = {},
): Promise<User | undefined> {
  if (projectId !== undefined && !await getProject(store, projectId)) return undefined;
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
