import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { StoreError } from "../kv/error.ts";
import { changeRecord, getRecord, type Kind, listRecords, setRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
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

const kind: Kind<Project> = { name: "project", version: 1 };

/** Returns undefined if there is no such project. */
export function getProject(store: Store, id: string): Promise<Project | undefined> {
  return getRecord(store, kind, keys.project(id));
}

/** All projects, archived ones too, by id. */
export function listProjects(store: Store): Promise<Project[]> {
  return listRecords(store, kind, keys.projects);
}

/** Throws `already_exists` if the id is taken, also by an archived project. */
export async function createProject(
  store: Store,
  project: Project,
  { audit }: AuditOptions = {},
): Promise<void> {
  const key = keys.project(project.id);
  const operation = store.kv.atomic().check({ key, versionstamp: null });
  setRecord(operation, kind, { former: { key, value: null }, record: project });
  if (await store.commitChange(addAuditEntry(operation, audit))) return;
  throw new StoreError("already_exists", `Cannot create project: ${project.id} already exists`);
}

/** Returns undefined if there is no such project. `change` cannot change the id. */
export function updateProject(
  store: Store,
  id: string,
  change: (project: Project) => Project,
  { audit }: Pick<ChangeOptions<Project>, "audit"> = {},
): Promise<Project | undefined> {
  return changeRecord(store, { kind, key: keys.project(id) }, (current, operation, former) => {
    const project = { ...change(current), id };
    setRecord(operation, kind, { former, record: project });
    addAuditEntry(operation, auditOf(audit, current, project));
    return project;
  });
}
