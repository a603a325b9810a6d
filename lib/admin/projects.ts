import { z } from "zod";
import { archiveProject, moveAccount } from "../accounts/mod.ts";
import { unlessTaken } from "../store/mod.ts";
import { type Bounds, organizationId } from "../store/money/mod.ts";
import {
  createProject,
  isTagKey,
  isTagValue,
  listTagBudgets,
  type Project,
  type TagBudget,
  tagBudgetsMax,
  tagOfText,
  updateOrganization,
  updateProject,
  updateTagBudget,
} from "../store/projects/mod.ts";
import { readCounts, subjects } from "../store/usage/mod.ts";
import type { User } from "../store/users/mod.ts";
import {
  type ActingState,
  auditChanges,
  type AuditContext,
  auditEntry,
  type AuditWords,
  changesBetween,
  checkedEntry,
  type RecordCheck,
} from "./audit.ts";
import { boundsWords } from "./bounds.ts";
import type { FaultCode } from "./faults.ts";
import { groupId, groupModels } from "./groups.ts";

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

/** The cost of a project's calls in the last 30 UTC days, today included, in nano-dollars. */
export async function projectSpend(
  id: string,
  { services: { store }, nowMs }: Pick<ActingState, "services" | "nowMs">,
): Promise<bigint> {
  const period = { step: "day", fromMs: nowMs - 29 * 86_400_000, toMs: nowMs + 1 } as const;
  const points = await readCounts(store, subjects.project(id), period);
  return points.reduce((spent, { sum }) => spent + sum.costNanoUsd, 0n);
}

/** Archives or restores a project. Returns undefined if there is none. */
export function setProjectArchived(
  ctx: AuditContext,
  id: string,
  { isArchived, check }: {
    readonly isArchived: boolean;
    readonly check?: RecordCheck<Project>;
  },
): Promise<Project | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const action = isArchived ? "archived" : "restored";
  const audit = checkedEntry(ctx, { ...factsOf(id), action }, check);
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

/** Names of pages at the addresses of project pages. */
const reservedIds: ReadonlySet<string> = new Set(["new", "organization", "tags"]);
const administratorsMax = 100;

/** The id of a new project, which is also its name. */
export const projectId = groupId.refine((id) => !reservedIds.has(id), fault("id"));

/** Names of models, or patterns such as `gpt-*`; each once. */
export const projectModels = groupModels;

/** The ids of a project's administrators. */
export const projectAdministrators = z.array(z.string().min(1).max(100))
  .max(administratorsMax, fault("administrators")).transform((all) => [...new Set(all)]);

/** A tag such as `team=a`. */
export const tagTextRule = z.string(fault("tag")).refine((text) => {
  const { key, value } = tagOfText(text);
  return text.includes("=") && isTagKey(key) && isTagValue(value);
}, fault("tag"));

/** Checks that a message is the name of a fault. */
function fault(name: FaultCode<"project">): FaultCode<"project"> {
  return name;
}

/** The fields of a project for the audit log. */
function projectWords({ models, administrators, ...bounds }: Project): AuditWords {
  return {
    models: models?.join(", "),
    administrators: administrators.length > 0 ? administrators.join(", ") : undefined,
    ...boundsWords(bounds),
  };
}
