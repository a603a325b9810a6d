import { z } from "zod";
import { faults as allFaults } from "../admin/faults.ts";
import { changeOrganization, changeTag, tagTextRule } from "../admin/projects.ts";
import type { Bounds } from "../store/money/mod.ts";
import {
  getOrganization,
  getTagBudget,
  listTagBudgets,
  type TagBudget,
} from "../store/projects/mod.ts";
import { boundsAnswer, boundsInput, boundsView, changedBounds } from "./bounds.ts";
import { ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  assertCurrent,
  type ManagementCall,
  operation,
} from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import { namedObject } from "./http/schema.ts";

const faults = { ...allFaults.key, ...allFaults.project };

const organization = namedObject("Organization", boundsAnswer);
const tag = namedObject("Tag", { tag: z.string().describe("Such as `team=a`"), ...boundsAnswer });
const boundsChange = z.strictObject(boundsInput);
const newTag = z.strictObject({ tag: tagTextRule, ...boundsInput });
type BoundsChange = z.output<typeof boundsChange>;

async function organizationOf({ state }: ManagementCall): Promise<Bounds> {
  return await getOrganization(state.services.store) ?? {};
}

async function changeLimits(call: ManagementCall<unknown, BoundsChange>) {
  const record = await changeOrganization(call, (current) => {
    assertCurrent(call, current);
    return changedBounds(current, call.body);
  });
  return { body: boundsView(record), record };
}

async function tagAt({ params: { tag }, state }: ManagementCall) {
  const found = await getTagBudget(state.services.store, tag);
  return found ?? gone(tag);
}

function gone(tag: string): never {
  throw notFound("tag budget", tag);
}

function tagView({ tag, ...bounds }: TagBudget) {
  return { tag, ...boundsView(bounds) };
}

function createTagLimits(call: ManagementCall<unknown, z.output<typeof newTag>>) {
  const { tag: name, ...change } = call.body;
  return changedTag(call, name, (current) => {
    if (!current) return changedBounds({}, change);
    throw new ManagementError("already_exists", faults.tagTaken, { param: "tag" });
  });
}

async function changeTagLimits(call: ManagementCall<unknown, BoundsChange>) {
  const { tag: name } = await tagAt(call);
  return await changedTag(call, name, (current = gone(name)) => {
    assertCurrent(call, current);
    return changedBounds(current, call.body);
  });
}

async function changedTag(
  call: ManagementCall<unknown, unknown>,
  name: string,
  change: (current: TagBudget | undefined) => Bounds,
) {
  const record = await changeTag(call, name, change);
  if (record === "full") throw new ManagementError("object_in_use", faults.tagsMax);
  return { body: tagView(record), record };
}

async function removeTagLimits(call: ManagementCall): Promise<void> {
  const { tag: name } = await tagAt(call);
  await changeTag(call, name, (current = gone(name)) => {
    assertCurrent(call, current);
    return {};
  });
}

const read = "projects:read";
const write = "projects:write";

/** The operations of the organization's limits and of tag budgets. */
export const tagOperations: readonly ApiOperation[] = [
  operation("GET /organization", {
    summary: "The limits of all calls together",
    scope: read,
    answer: organization,
  }, async (call) => {
    const record = await organizationOf(call);
    return { body: boundsView(record), record };
  }),
  operation("PATCH /organization", {
    summary: "Change the given limits of all calls together",
    scope: write,
    body: boundsChange,
    answer: organization,
    errors: ["object_changed"],
    faults,
  }, changeLimits),
  operation("GET /tags", {
    summary: "List the tags with budgets or limits",
    scope: read,
    query: pageQuery,
    answer: listSchema(tag),
  }, async (call) => {
    const all = await listTagBudgets(call.state.services.store);
    return await pageReply(all, ({ tag }) => tag, call, tagView);
  }),
  operation("POST /tags", {
    summary: "Give a tag budgets and limits",
    scope: write,
    body: newTag,
    answer: tag,
    status: 201,
    errors: ["already_exists", "object_in_use"],
    faults,
  }, createTagLimits),
  operation("GET /tags/{tag}", {
    summary: "The budgets and limits of a tag, such as `team=a`",
    scope: read,
    answer: tag,
  }, async (call) => {
    const record = await tagAt(call);
    return { body: tagView(record), record };
  }),
  operation("PATCH /tags/{tag}", {
    summary: "Change the given budgets and limits of a tag",
    scope: write,
    body: boundsChange,
    answer: tag,
    errors: ["object_changed"],
    faults,
  }, changeTagLimits),
  operation("DELETE /tags/{tag}", {
    summary: "Remove the budgets and limits of a tag",
    scope: write,
    errors: ["object_changed"],
  }, removeTagLimits),
];
