import { z } from "zod";
import { boundsOfSubject, type BoundSubject } from "../admin/effective_bounds.ts";
import { limitKinds, refuserOwners } from "../canonical/mod.ts";
import type { Bound } from "../ledger/mod.ts";
import { getApiKey } from "../store/api_keys/mod.ts";
import { getGroup } from "../store/catalog/mod.ts";
import { getOrganization, getProject } from "../store/projects/mod.ts";
import { getUser } from "../store/users/mod.ts";
import { notFound } from "./http/error.ts";
import { type ManagementCall, operation } from "./http/operation.ts";
import { moneyText, namedObject, optionalTime, timeAnswer } from "./http/schema.ts";

const owner = {
  owner: z.enum(refuserOwners).describe(
    "The owner: as in `refused_by` of a call that it refuses",
  ),
  owner_id: z.string(),
};
const amount = z.string().nullable();

const bound = z.object({
  ...owner,
  name: z.string().describe("Such as `project monthly budget`"),
  kind: z.enum(limitKinds),
  period: z.string().nullable().describe("Of a budget: as in `budgets`"),
  limit: amount.describe("US dollars if `kind` is money, else a whole number; null: a wallet"),
  used: amount.describe("Of settled calls; null: a wallet, concurrent requests or sessions"),
  left: amount,
  resets_at: timeAnswer.nullable()
    .describe("Of a window of any length: when its oldest use stops counting"),
});

const bounds = namedObject("EffectiveBounds", {
  limits: z.array(bound).describe("In the order in which calls reserve them"),
  models: z.array(z.object({ ...owner, models: z.array(z.string()) }))
    .describe("Names and patterns; a model must be in the list of each owner"),
});

/** Reads what bounds calls. */
export const boundOperations = [
  boundsOperation("/keys/{id}", "keys:read", "an API key", async ({ params: { id }, state }) => {
    const { store } = state.services;
    const key = await getApiKey(store, id);
    return key && { type: "key", key, account: await getUser(store, key.accountId) };
  }),
  boundsOperation("/users/{id}", "users:read", "a user", async ({ params: { id }, state }) => {
    const account = await getUser(state.services.store, id);
    return account && { type: "account", account };
  }),
  boundsOperation("/groups/{id}", "groups:read", "a group", async ({ params: { id }, state }) => {
    const group = await getGroup(state.services.store, id);
    return group && { type: "group", group };
  }),
  boundsOperation(
    "/projects/{id}",
    "projects:read",
    "a project",
    async ({ params: { id }, state }) => {
      const project = await getProject(state.services.store, id);
      return project && { type: "project", project };
    },
  ),
  boundsOperation("/organization", "projects:read", "all accounts", async ({ state }) => {
    const organization = await getOrganization(state.services.store);
    return { type: "organization", organization };
  }),
];

function boundsOperation(
  path: string,
  scope: "keys:read" | "users:read" | "groups:read" | "projects:read",
  whose: string,
  subjectOf: (call: ManagementCall) => Promise<BoundSubject | undefined>,
) {
  return operation(`GET ${path}/bounds`, {
    summary: `List the limits and rules in force for ${whose}, each with its owner and use`,
    scope,
    answer: bounds,
  }, async (call) => {
    const subject = await subjectOf(call);
    if (!subject) throw notFound(whose.replace(/^an? /, ""), call.params.id);
    const { limits, models } = await boundsOfSubject(subject, call.state);
    return {
      body: {
        limits: limits.map(boundJson),
        models: models.map(({ owner, id, models }) => ({
          owner,
          owner_id: id,
          models: [...models],
        })),
      },
    };
  });
}

function boundJson(one: Bound): z.output<typeof bound> {
  const { owner, id, name, kind, period, limit, used, left, resetsAtMs, leavesAtMs } = one;
  const text = (value: bigint | undefined) =>
    value === undefined ? null : kind === "money" ? moneyText(value) : String(value);
  return {
    owner,
    owner_id: id,
    name,
    kind,
    period: period ?? null,
    limit: text(limit),
    used: text(used),
    left: text(left),
    resets_at: optionalTime(resetsAtMs ?? leavesAtMs),
  };
}
