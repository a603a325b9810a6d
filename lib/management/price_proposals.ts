import { z } from "zod";
import {
  type PriceProposal,
  priceProposals,
  refreshPrices,
  takenMax,
  takeProposals,
  undoTake,
} from "../admin/models/proposals.ts";
import { rerate } from "../admin/models/rerate.ts";
import { listPriceTakes, type PriceTake } from "../store/catalog/mod.ts";
import { ManagementError, notFound } from "./http/error.ts";
import { type ApiOperation, type ManagementCall, operation } from "./http/operation.ts";
import { creationOrder, listSchema, pageQuery, pageReply } from "./http/page.ts";
import { namedObject, optionalTime, timeAnswer, timeInput, timeText } from "./http/schema.ts";
import { rerating, reratingJson } from "./models.ts";
import { priceAnswer, priceJson } from "./price.ts";

const proposal = namedObject("PriceProposal", {
  model: z.string(),
  price: priceAnswer.nullable().describe("In force now; null if the model has none"),
  proposed: priceAnswer,
  changes: z.array(z.object({
    field: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })).describe("The fields that differ, in words"),
  feed: z.string().describe("The address of the last refresh, or the list of this release"),
  page: z.string().nullable().describe("The page that states the proposed price"),
  since: timeAnswer.describe("The first time that the feed had this price"),
});

const take = namedObject("PriceTake", {
  id: z.string(),
  at: timeAnswer,
  by: z.string(),
  models: z.array(z.string()),
  undone_at: timeAnswer.nullable(),
});

const refreshed = z.object({
  url: z.string(),
  fetched_at: timeAnswer,
  proposals: z.int().describe("The number of proposals"),
});

const models = z.array(z.string().max(200)).min(1).max(takenMax);
const chosen = z.strictObject({ models });
const taking = z.strictObject({
  models,
  from: timeInput.optional().describe("The start; absent: the next call"),
});

async function refresh({ state }: ManagementCall) {
  const result = await refreshPrices(state);
  if (!result) throw new ManagementError("object_not_found", "This console has no gateway");
  if (result.type === "failed") {
    throw new ManagementError("upstream_error", `Cannot refresh the prices: ${result.reason}`);
  }
  const { url, fetchedAtMs } = result.feed;
  const proposals = priceProposals(state).length;
  return { body: { url, fetched_at: timeText(fetchedAtMs), proposals } };
}

async function tryProposals({ body, state }: ManagementCall<unknown, z.output<typeof chosen>>) {
  const { services: { store, directory }, nowMs } = state;
  const wanted = new Set(body.models);
  const tried = [];
  for (const { id, proposed } of priceProposals(state).filter(({ id }) => wanted.has(id))) {
    const result = await rerate(store, { model: id, price: proposed, directory, nowMs });
    tried.push({ model: id, ...reratingJson(result) });
  }
  return { body: { models: tried } };
}

function proposalJson(
  { id, current, proposed, changes, feed, page, sinceMs }: PriceProposal,
): z.output<typeof proposal> {
  return {
    model: id,
    price: current ? priceJson(current) : null,
    proposed: priceJson(proposed),
    changes: changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
    feed,
    page: page ?? null,
    since: timeText(sinceMs),
  };
}

function takeJson({ id, atMs, actorName, models, undoneAtMs }: PriceTake): z.output<typeof take> {
  return {
    id,
    at: timeText(atMs),
    by: actorName,
    models: models.map(({ id }) => id),
    undone_at: optionalTime(undoneAtMs),
  };
}

const read = "prices:read";
const write = "prices:write";

/** The operations of price proposals. */
export const proposalOperations: readonly ApiOperation[] = [
  operation(
    "GET /prices/proposals",
    {
      summary: "List the differences between the feed and the prices in force",
      scope: read,
      query: pageQuery,
      answer: listSchema(proposal),
    },
    async (call) => await pageReply(priceProposals(call.state), ({ id }) => id, call, proposalJson),
  ),
  operation("POST /prices/refresh", {
    summary: "Fetch the feed of prices; no price changes",
    scope: write,
    answer: refreshed,
    errors: ["object_not_found", "upstream_error"],
  }, refresh),
  operation("POST /prices/proposals/try", {
    summary: "Compute what the calls of the last seven days would have cost at proposed prices",
    scope: read,
    body: chosen,
    answer: z.object({ models: z.array(z.object({ model: z.string(), ...rerating.shape })) }),
  }, tryProposals),
  operation("POST /prices/takes", {
    summary: "Take the proposals of models, now or from a later time",
    scope: write,
    body: taking,
    answer: take,
    errors: ["object_not_found"],
  }, async (call) => {
    const { models, from: fromMs } = call.body;
    const made = await takeProposals(models, fromMs === undefined ? {} : { fromMs }, call);
    if (!made) throw notFound("price proposal for", models.join(", "));
    return { body: takeJson(made) };
  }),
  operation("GET /prices/takes", {
    summary: "List the last proposals that were taken, newest first",
    scope: read,
    query: pageQuery,
    answer: listSchema(take),
  }, async (call) => {
    const takes = await listPriceTakes(call.state.services.store);
    const newestFirst = ({ id, atMs }: PriceTake) => creationOrder({ id, createdAtMs: atMs });
    return await pageReply(takes, newestFirst, call, takeJson);
  }),
  operation("POST /prices/takes/{id}/undo", {
    summary: "Restore the prices from before a take, except those that have changed since",
    scope: write,
    answer: take,
    errors: ["object_not_found"],
  }, async (call) => {
    const undone = await undoTake(call.params.id, call);
    if (!undone) throw notFound("take that can be undone", call.params.id);
    return { body: takeJson(undone) };
  }),
];
