import { z } from "zod";
import { faults as allFaults } from "../admin/faults.ts";
import {
  addProject,
  changeProject,
  moveMember,
  projectAdministrators,
  projectId,
  projectModels,
  projectSpend,
  setProjectArchived,
} from "../admin/projects.ts";
import { getProject, listProjects, type Project } from "../store/projects/mod.ts";
import { getUser, listUsers, type User } from "../store/users/mod.ts";
import { boundsAnswer, boundsInput, boundsView, changedBounds, changedOrKept } from "./bounds.ts";
import { invalidField, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  type ApiReply,
  assertCurrent,
  currentCheck,
  type ManagementCall,
  operation,
  switches,
} from "./http/operation.ts";
import { creationOrder, listSchema, pageQuery, pageReply } from "./http/page.ts";
import {
  idInput,
  moneyAnswer,
  moneyText,
  namedObject,
  optionalTime,
  timeAnswer,
  timeText,
} from "./http/schema.ts";

const faults = { ...allFaults.key, ...allFaults.project };

const project = namedObject("Project", {
  id: z.string().describe("The project's name"),
  models: z.array(z.string()).nullable()
    .describe("Names and patterns; null: all models of the keys' groups"),
  administrators: z.array(z.string()).describe("User IDs"),
  ...boundsAnswer,
  spent_30_days: moneyAnswer.describe("The cost of its calls in the last 30 UTC days"),
  created_at: timeAnswer,
  archived_at: timeAnswer.nullable().describe("Calls of an archived project are refused"),
});

const settings = {
  models: projectModels.nullable(),
  administrators: projectAdministrators,
};
const newProject = z.strictObject({
  id: projectId,
  models: settings.models.default(null),
  administrators: settings.administrators.default([]),
  ...boundsInput,
});
const projectChange = z.strictObject(settings).partial().extend(boundsInput);
const member = namedObject("ProjectMember", { user_id: z.string(), email: z.string() });
const newMember = z.strictObject({ user_id: idInput });

async function projectView(
  one: Project,
  { state }: ManagementCall,
): Promise<z.input<typeof project>> {
  return {
    id: one.id,
    models: one.models ? [...one.models] : null,
    administrators: [...one.administrators],
    ...boundsView(one),
    spent_30_days: moneyText(await projectSpend(one.id, state)),
    created_at: timeText(one.createdAtMs),
    archived_at: optionalTime(one.archivedAtMs),
  };
}

async function replyWith(
  record: Project,
  call: ManagementCall,
): Promise<ApiReply<z.input<typeof project>>> {
  return { body: await projectView(record, call), record };
}

async function projectAt({ params: { id }, state }: ManagementCall): Promise<Project> {
  return await getProject(state.services.store, id) ?? gone(id);
}

function gone(id: string): never {
  throw notFound("project", id);
}

/** The project after a change of the given fields. */
function withChange(current: Project, change: z.output<typeof projectChange>): Project {
  const models = changedOrKept(change.models, current.models);
  const { budgets, limits } = changedBounds(current, change);
  const { archivedAtMs } = current;
  return {
    id: current.id,
    administrators: change.administrators ?? current.administrators,
    createdAtMs: current.createdAtMs,
    ...(models && { models }),
    ...(budgets && { budgets }),
    ...(limits && { limits }),
    ...(archivedAtMs !== undefined && { archivedAtMs }),
  };
}

/** Throws unless every administrator is a user, or was one when the project got it. */
async function assertUsers(
  ids: readonly string[] | undefined,
  { state: { services } }: ManagementCall,
  known: readonly string[] = [],
): Promise<void> {
  for (const [at, id] of (ids ?? []).entries()) {
    if (known.includes(id) || await getUser(services.store, id)) continue;
    throw invalidField(`administrators[${at}]`, `there is no user ${id}`);
  }
}

async function create(call: ManagementCall<unknown, z.output<typeof newProject>>) {
  const { id, ...change } = call.body;
  await assertUsers(change.administrators, call);
  const createdAtMs = call.state.nowMs;
  const record = withChange({ id, administrators: [], createdAtMs }, change);
  if (await addProject(call, record) !== "taken") return await replyWith(record, call);
  throw new ManagementError("already_exists", faults.taken, { param: "id" });
}

async function change(call: ManagementCall<unknown, z.output<typeof projectChange>>) {
  const { id, administrators } = await projectAt(call);
  await assertUsers(call.body.administrators, call, administrators);
  const changed = await changeProject(call, id, (current) => {
    assertCurrent(call, current);
    return withChange(current, call.body);
  });
  return await replyWith(changed ?? gone(id), call);
}

async function setArchived(call: ManagementCall, isArchived: boolean) {
  const { id } = await projectAt(call);
  const changed = await setProjectArchived(call, id, { isArchived, check: currentCheck(call) });
  return await replyWith(changed ?? gone(id), call);
}

async function listMembers(call: ManagementCall<z.output<typeof pageQuery>>) {
  const { id } = await projectAt(call);
  const members = (await listUsers(call.state.services.store))
    .filter(({ projectId }) => projectId === id);
  return await pageReply(members, creationOrder, call, memberView);
}

function memberView({ id, email }: User): z.input<typeof member> {
  return { user_id: id, email };
}

async function addMember(call: ManagementCall<unknown, z.output<typeof newMember>>) {
  const { id, archivedAtMs } = await projectAt(call);
  const { user_id } = call.body;
  if (archivedAtMs !== undefined) {
    const message = `The project ${id} is archived: restore it before an account joins it`;
    throw new ManagementError("invalid_request", message);
  }
  const user = await getUser(call.state.services.store, user_id);
  if (!user) throw invalidField("user_id", `there is no user ${user_id}`);
  if (!await moveMember(call, user, id)) gone(id);
  return { body: memberView(user) };
}

async function removeMember(call: ManagementCall): Promise<void> {
  const { id } = await projectAt(call);
  const { user_id } = call.params;
  const user = await getUser(call.state.services.store, user_id);
  if (user?.projectId !== id) throw notFound("member", user_id);
  await moveMember(call, user, undefined);
}

const read = "projects:read";
const write = "projects:write";
const conflicts = ["concurrent_changes", "object_changed"] as const;

/** The operations of projects and their members. */
export const projectOperations: readonly ApiOperation[] = [
  operation("GET /projects", {
    summary: "List projects, by name",
    scope: read,
    query: pageQuery,
    answer: listSchema(project),
  }, async (call) => {
    const all = await listProjects(call.state.services.store);
    return await pageReply(all, ({ id }) => id, call, (one) => projectView(one, call));
  }),
  operation("POST /projects", {
    summary: "Create a project",
    scope: write,
    body: newProject,
    answer: project,
    status: 201,
    errors: ["already_exists"],
    faults,
  }, create),
  operation("GET /projects/{id}", {
    summary: "A project",
    scope: read,
    answer: project,
  }, async (call) => await replyWith(await projectAt(call), call)),
  operation("PATCH /projects/{id}", {
    summary: "Change the given fields of a project",
    scope: write,
    body: projectChange,
    answer: project,
    errors: conflicts,
    faults,
  }, change),
  ...switches("/projects/{id}", {
    summaries: {
      archive: "Archive a project: calls of its members are refused",
      restore: "Restore an archived project",
    },
    scope: write,
    answer: project,
    errors: conflicts,
  }, setArchived),
  operation("GET /projects/{id}/members", {
    summary: "List the members of a project, newest account first",
    scope: read,
    query: pageQuery,
    answer: listSchema(member),
  }, listMembers),
  operation("POST /projects/{id}/members", {
    summary: "Move an account to a project; its earlier calls stay where they were made",
    scope: write,
    body: newMember,
    answer: member,
    status: 201,
  }, addMember),
  operation("DELETE /projects/{id}/members/{user_id}", {
    summary: "Remove an account from a project",
    scope: write,
  }, removeMember),
];
