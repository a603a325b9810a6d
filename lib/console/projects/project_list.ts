import { projectSpend } from "../../admin/projects.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { listProjects, type Project } from "../../store/projects/mod.ts";
import { listUsers, type User } from "../../store/users/mod.ts";
import { type BudgetUse, budgetUses } from "../keys/budget_use.ts";
import { defineList, listPage, type QueryOf } from "../page/define_list.ts";
import { choice, search } from "../page/list_fields.ts";
import type { AccountState } from "../session/state.ts";

/** One project as the list shows it. Amounts are nano-dollars. */
export interface ProjectRow {
  readonly project: Project;
  readonly members: readonly User[];
  readonly keys: readonly ApiKey[];
  /** Cost of its calls of the last 30 days, today (UTC) included. */
  readonly spentNanoUsd: bigint;
  readonly budgets: readonly BudgetUse[];
}

/** All projects. */
export const projectList = defineList<ProjectRow>()({
  path: "/console/admin/projects",
  fields: {
    q: search(({ project }) => [project.id]),
    status: choice(
      ["active", "archived"],
      ({ project }, status) => (project.archivedAtMs === undefined) === (status === "active"),
    ),
  },
  sort: {
    columns: {
      name: ({ project }) => project.id,
      members: ({ members }) => members.length,
      keys: ({ keys }) => keys.length,
      spent: ({ spentNanoUsd }) => spentNanoUsd,
    },
    usual: { column: "name", descending: false },
    descendingFirst: ["members", "keys", "spent"],
    detailed: ["spent"],
  },
});

/** A page of the projects. */
export async function readProjectList(state: AccountState, query: QueryOf<typeof projectList>) {
  const { services } = state;
  const [projects, people] = await Promise.all([
    listProjects(services.store),
    readPeople(services.store),
  ]);
  const rows = projects.map((project): ProjectRow => ({
    project,
    ...peopleOf(project, people),
    spentNanoUsd: 0n,
    budgets: [],
  }));
  const details = (some: readonly ProjectRow[]) =>
    Promise.all(some.map((row) => withFigures(row, state)));
  return await listPage(projectList, rows, { query, services, details });
}

/** One project as the list shows it. */
export async function projectRow(project: Project, state: AccountState): Promise<ProjectRow> {
  const people = await readPeople(state.services.store);
  const row = { project, ...peopleOf(project, people), spentNanoUsd: 0n, budgets: [] };
  return await withFigures(row, state);
}

async function withFigures(row: ProjectRow, state: AccountState): Promise<ProjectRow> {
  const { id, budgets } = row.project;
  const [spentNanoUsd, uses] = await Promise.all([
    projectSpend(id, state),
    budgetUses(state, { owner: "project", id, budgets }),
  ]);
  return { ...row, spentNanoUsd, budgets: uses };
}

interface People {
  readonly users: ReadonlyMap<string | undefined, readonly User[]>;
  readonly keys: ReadonlyMap<string, readonly ApiKey[]>;
}

async function readPeople(store: Store): Promise<People> {
  const [users, keys] = await Promise.all([listUsers(store), listApiKeys(store)]);
  return {
    users: Map.groupBy(users, ({ projectId }) => projectId),
    keys: Map.groupBy(keys, ({ accountId }) => accountId),
  };
}

function peopleOf(
  { id }: Project,
  { users, keys }: People,
): Pick<ProjectRow, "members" | "keys"> {
  const members = users.get(id) ?? [];
  return { members, keys: members.flatMap(({ id }) => keys.get(id) ?? []) };
}
