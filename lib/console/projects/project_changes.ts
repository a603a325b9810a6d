import { archiveProject, moveAccount } from "../../accounts/mod.ts";
import { unlessTaken } from "../../store/mod.ts";
import { type Bounds, organizationId } from "../../store/money/mod.ts";
import {
  createProject,
  listTagBudgets,
  type Project,
  type TagBudget,
  tagBudgetsMax,
  updateOrganization,
  updateProject,
  updateTagBudget,
} from "../../store/projects/mod.ts";
import type { User } from "../../store/users/mod.ts";
import { auditChanges, type AuditContext, auditEntry, changesBetween } from "../audit/audit.ts";
import { boundsWords } from "../users/account_form.ts";
import { projectWords } from "./project_form.ts";

/** Refuses a change by throwing; gets the record as stored before it. */
type Check<Record> = (current: Record) => void;

/** Creates a project. Returns `taken` if there is one of its name. */
export function addProject(ctx: AuditContext, project: Project): Promise<void | "taken"> {
  const changes = changesBetween({}, projectWords(project));
  const audit = auditEntry(ctx, { ...factsOf(project.id), action: "created", changes });
  return unlessTaken(createProject(ctx.state.services.store, project, { audit }));
}

/** Changes a project's settings. Returns undefined if there is none. */
export function changeProject(
  ctx: AuditContext,
  id: string,
  change: (current: Project) => Project,
): Promise<Project | undefined> {
  const audit = auditChanges(ctx, { ...factsOf(id), action: "changed" }, projectWords);
  return updateProject(ctx.state.services.store, id, change, { audit });
}

/** Archives or restores a project. Returns undefined if there is none. */
export function setProjectArchived(
  ctx: AuditContext,
  id: string,
  { isArchived, check = () => {} }: {
    readonly isArchived: boolean;
    readonly check?: Check<Project>;
  },
): Promise<Project | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const action = isArchived ? "archived" : "restored";
  const audit = (before: Project) => {
    check(before);
    return auditEntry(ctx, { ...factsOf(id), action });
  };
  return archiveProject(store, id, { audit, ...(isArchived && { archivedAtMs: nowMs }) });
}

/**
 * Moves an account to a project, or out of its own. Returns false if the account or the project is
 * gone, or the project is archived.
 */
export async function moveMember(
  ctx: AuditContext,
  { id, email }: User,
  projectId: string | undefined,
): Promise<boolean> {
  const facts = { kind: "user", action: "changed", targetId: id, targetName: email } as const;
  const audit = auditChanges(ctx, facts, ({ projectId }: User) => ({ project: projectId }));
  return await moveAccount(ctx.state.services.store, id, projectId, { audit }) !== undefined;
}

/** Changes the limits of all calls together, and returns the new ones. */
export function changeOrganization(
  ctx: AuditContext,
  change: (current: Bounds) => Bounds,
): Promise<Bounds> {
  const { services: { store }, settings } = ctx.state;
  const target = { targetId: organizationId, targetName: settings.siteName };
  const facts = { kind: "organization", action: "changed", ...target } as const;
  const audit = auditChanges(ctx, facts, boundsWords);
  return updateOrganization(store, change, { audit });
}

/**
 * Changes the limits of a tag, and returns the new ones. Returns `full` if no further tag may have
 * any.
 */
export async function changeTag(
  ctx: AuditContext,
  tag: string,
  change: (current: TagBudget | undefined) => Bounds,
): Promise<TagBudget | "full"> {
  const { store } = ctx.state.services;
  const known = await listTagBudgets(store);
  if (known.length >= tagBudgetsMax && !known.some((one) => one.tag === tag)) return "full";
  const facts = { kind: "tag", action: "changed", targetId: tag, targetName: tag } as const;
  return await updateTagBudget(store, tag, change, {
    audit: auditChanges(ctx, facts, boundsWords),
  });
}

function factsOf(id: string) {
  return { kind: "project", targetId: id, targetName: id } as const;
}
