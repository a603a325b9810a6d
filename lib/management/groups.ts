import { z } from "zod";
import { faults as allFaults } from "../admin/faults.ts";
import {
  addGroup,
  changeGroup,
  groupFormats,
  groupId,
  groupModels,
  groupUses,
  isHeld,
  priceRatio,
  removeGroup,
} from "../admin/groups.ts";
import { defaultGroupId, getGroup, type Group, listGroups } from "../store/catalog/mod.ts";
import { boundsAnswer, boundsInput, boundsView, changedBounds, changedOrKept } from "./bounds.ts";
import { changeConflicts, invalidField, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  type ApiReply,
  assertCurrent,
  currentCheck,
  type ManagementCall,
  operation,
} from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import { idInput, namedObject } from "./http/schema.ts";

const faults = { ...allFaults.key, ...allFaults.group };

const group = namedObject("Group", {
  id: z.string().describe("The group's name"),
  models: z.array(z.string()).describe("Names and patterns, such as `gpt-*`"),
  formats: z.array(z.string()).describe("`*` alone: all formats"),
  price_ratio: z.number().describe("The factor on all prices"),
  allow_unpriced: z.boolean().nullable()
    .describe("True if calls of models without a price are allowed; null: the default rule"),
  for_members: z.boolean().describe("True if members may give it to their keys"),
  ...boundsAnswer,
  origin: z.enum(["console", "config"]).describe("Groups of the configuration are read-only"),
});

const settings = {
  models: groupModels,
  formats: groupFormats,
  price_ratio: priceRatio,
  allow_unpriced: z.boolean().nullable(),
  for_members: z.boolean(),
};
const newGroup = z.strictObject({
  id: groupId,
  models: settings.models.default(["*"]),
  formats: settings.formats.default(["*"]),
  price_ratio: settings.price_ratio.default(1),
  allow_unpriced: settings.allow_unpriced.default(null),
  for_members: settings.for_members.default(false),
  ...boundsInput,
});
const groupChange = z.strictObject(settings).partial().extend(boundsInput);
const deletion = z.strictObject({
  move_keys_to: idInput.optional().describe("The group that its keys get"),
});

function groupView(one: Group): z.input<typeof group> {
  return {
    id: one.id,
    models: [...one.models],
    formats: [...one.formats],
    price_ratio: one.priceRatio,
    allow_unpriced: one.allowUnpriced ?? null,
    for_members: one.forMembers ?? false,
    ...boundsView(one),
    origin: one.origin,
  };
}

function replyWith(record: Group): ApiReply<z.input<typeof group>> {
  return { body: groupView(record), record };
}

async function groupAt({ params: { id }, state }: ManagementCall): Promise<Group> {
  return await getGroup(state.services.store, id) ?? gone(id);
}

function gone(id: string): never {
  throw notFound("group", id);
}

/** The group after a change of the given fields. */
function withChange(current: Group, change: z.output<typeof groupChange>): Group {
  const { forMembers = false } = current;
  return {
    ...current,
    models: change.models ?? current.models,
    formats: change.formats ?? current.formats,
    priceRatio: change.price_ratio ?? current.priceRatio,
    allowUnpriced: changedOrKept(change.allow_unpriced, current.allowUnpriced),
    forMembers: change.for_members ?? forMembers ? true : undefined,
    ...changedBounds(current, change),
  };
}

async function create(call: ManagementCall<unknown, z.output<typeof newGroup>>) {
  const { id, ...change } = call.body;
  const empty: Group = { id, models: [], formats: [], priceRatio: 1, origin: "console" };
  const record = withChange(empty, change);
  if (await addGroup(call, record) !== "taken") return replyWith(record);
  throw new ManagementError("already_exists", "A group with this name exists", { param: "id" });
}

async function change(call: ManagementCall<unknown, z.output<typeof groupChange>>) {
  const { id } = await groupAt(call);
  const changed = await changeGroup(call, id, (current) => {
    assertCurrent(call, current);
    return withChange(current, call.body);
  });
  return replyWith(changed ?? gone(id));
}

async function remove(call: ManagementCall<z.output<typeof deletion>>): Promise<void> {
  const current = await groupAt(call);
  const { query: { move_keys_to: to }, state: { services: { store, directory } } } = call;
  assertCurrent(call, current);
  assertDeletable(current);
  await directory.refresh(); // the uses must be current
  const use = (await groupUses(store, directory)).get(current.id) ?? unused;
  if (isHeld(use)) throw held(use);
  if (use.keys.length > 0) await assertTarget(call, current.id, use.keys.length);
  if (!await removeGroup(call, current.id, { use, to, check: currentCheck(call) })) {
    gone(current.id);
  }
}

const unused = { keys: [], upstreams: [], serving: 0 };

function assertDeletable({ id, origin }: Group): void {
  if (id !== defaultGroupId && origin === "console") return;
  const reason = origin === "config" ? "the configuration declares it" : "it is the default group";
  throw new ManagementError("object_protected", `Cannot delete group ${id}: ${reason}`);
}

function held({ keys, upstreams }: Parameters<typeof isHeld>[0]): ManagementError {
  const names = [
    ...upstreams.map(({ id }) => `upstream ${id}`),
    ...keys.filter(({ key }) => key.origin === "config").map(({ key }) =>
      `declared key ${key.name}`
    ),
  ];
  const message = `Other objects need the group: ${names.slice(0, 10).join(", ")}`;
  return new ManagementError("object_in_use", message);
}

/** Throws unless the group's keys have another group to move to. */
async function assertTarget(
  { query: { move_keys_to: to }, state }: ManagementCall<z.output<typeof deletion>>,
  id: string,
  keys: number,
): Promise<void> {
  const param = "move_keys_to";
  if (to === undefined) {
    const message = `${keys} keys are in the group. Name their new group in ${param}`;
    throw new ManagementError("object_in_use", message, { param });
  }
  if (to !== id && await getGroup(state.services.store, to) !== undefined) return;
  throw invalidField(param, faults.group);
}

const read = "groups:read";
const write = "groups:write";
/** A group may list 5,000 models. */
const bodyBytesMax = 4 * 1024 * 1024;

/** The operations of groups. */
export const groupOperations: readonly ApiOperation[] = [
  operation("GET /groups", {
    summary: "List groups, by name",
    scope: read,
    query: pageQuery,
    answer: listSchema(group),
  }, async (call) => {
    const all = await listGroups(call.state.services.store);
    return await pageReply(all, ({ id }) => id, call, groupView);
  }),
  operation("POST /groups", {
    summary: "Create a group",
    scope: write,
    body: newGroup,
    answer: group,
    status: 201,
    errors: ["already_exists"],
    faults,
    bodyBytesMax,
  }, create),
  operation("GET /groups/{id}", {
    summary: "A group",
    scope: read,
    answer: group,
  }, async (call) => replyWith(await groupAt(call))),
  operation("PATCH /groups/{id}", {
    summary: "Change the given fields of a group",
    scope: write,
    body: groupChange,
    answer: group,
    errors: changeConflicts,
    faults,
    bodyBytesMax,
  }, change),
  operation("DELETE /groups/{id}", {
    summary: "Delete a group, and move its keys to another",
    scope: write,
    query: deletion,
    errors: ["object_in_use", ...changeConflicts],
  }, remove),
];
