import { keys } from "../keys.ts";
import { collection } from "../kv/collection.ts";
import type { Bounds } from "../money/budget.ts";

/**
 * A team of accounts: the limits of all keys of its members together. An account without a project
 * is a project of one, with its own limits.
 */
export interface Project extends Bounds {
  /** The name, which cannot change: log rows and budgets refer to it. */
  readonly id: string;
  /** Patterns of model names; absent: all that its keys' groups allow. See `matchesPattern`. */
  readonly models?: readonly string[];
  /** Ids of the accounts that manage its members and keys. */
  readonly administrators: readonly string[];
  /** Present if it is archived: its keys are refused, and its history stays. */
  readonly archivedAtMs?: number;
  readonly createdAtMs: number;
}

/** The id of an archived project stays taken. */
export const {
  get: getProject,
  list: listProjects,
  create: createProject,
  update: updateProject,
} = collection<Project>({ name: "project", version: 1 }, { all: keys.projects, at: keys.project });
