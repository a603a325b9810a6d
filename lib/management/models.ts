import { z } from "zod";
import { setMembers } from "../admin/models/chain_changes.ts";
import {
  isModelName,
  isOutdated,
  modelRows,
  type PriceRow,
  priceRow,
  priceRows,
  upstreamsByModel,
} from "../admin/models/model_rows.ts";
import { deletePrice, momentText, scheduleOf, setPrice } from "../admin/models/price_changes.ts";
import { rerate, type Rerating } from "../admin/models/rerate.ts";
import { catalogModel, retirementOf } from "../catalog/mod.ts";
import type { Model } from "../store/catalog/mod.ts";
import { changeConflicts, ManagementError, notFound } from "./http/error.ts";
import {
  type ApiOperation,
  type ApiReply,
  assertCurrent,
  type ManagementCall,
  operation,
} from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import { moneyAnswer, moneyText, namedObject, timeAnswer, timeInput } from "./http/schema.ts";
import { memberAnswer, memberJson, membersInput, readChain } from "./members.ts";
import { priceAnswer, priceInput, priceJson, readPrice } from "./price.ts";

const sourceNames = {
  own: "own",
  catalog: "catalog",
  declared: "config",
  nobody: "none",
} as const satisfies Record<PriceRow["source"], string>;

const model = namedObject("Model", {
  id: z.string(),
  display_name: z.string().nullable(),
  vendor: z.string().nullable(),
  context_window: z.number().nullable(),
  max_output_tokens: z.number().nullable(),
  groups: z.array(z.string()).describe("The groups whose keys may call it"),
  members: z.array(memberAnswer).nullable()
    .describe("Of a virtual model: the models that answer its calls, in order"),
  upstreams: z.array(z.object({
    id: z.string(),
    upstream_model: z.string().nullable().describe("The upstream's own name, if it differs"),
    enabled: z.boolean(),
  })).describe("The upstreams that serve it"),
  price_source: z.enum(Object.values(sourceNames)),
  priced_as: z.string().nullable().describe("The upstream's name that has the price"),
  price: priceAnswer.nullable().describe("In force now, before any group's ratio"),
  retires: z.string().nullable().describe("The day on which the vendor shuts it down"),
  successor: z.string().nullable().describe("The model that the vendor recommends instead"),
  catalog_price: priceAnswer.nullable().describe("The catalog's, if an own price differs"),
  schedule: z.array(z.object({ from: timeAnswer, price: priceAnswer }))
    .describe("The model's own prices by their start; 1970 for a price without one"),
});

/** The charges of recent calls, and those at another price. */
export const rerating = namedObject("Rerating", {
  calls: z.int().describe("The calls of the last seven days that were examined"),
  cost: moneyAnswer.describe("The charge of these calls"),
  would_cost: moneyAnswer.describe("The charge at the tried price"),
  unpriced: z.int().describe("Calls that cost nothing because the model had no price"),
  is_cut: z.boolean().describe("True if there were too many calls to examine all"),
});

const filters = pageQuery.extend({
  price_source: z.enum([...Object.values(sourceNames), "outdated"]).optional()
    .describe("`outdated`: own prices that differ from the catalog's"),
  upstream: z.string().max(500).optional().describe("Served by this upstream"),
});
const newPrice = z.strictObject({
  price: priceInput,
  from: timeInput.optional().describe("The start; absent: the next call"),
});
const trial = z.strictObject({ price: priceInput });

type Servers = ReturnType<typeof upstreamsByModel>;

async function list(call: ManagementCall<z.output<typeof filters>>) {
  const { query: { price_source: source, upstream }, state } = call;
  const { services: { directory }, nowMs } = state;
  const servers = upstreamsByModel(directory);
  const found = priceRows(directory, nowMs)
    .filter((row) =>
      source === undefined ||
      (source === "outdated" ? isOutdated(row) : sourceNames[row.source] === source)
    )
    .filter(({ id }) =>
      upstream === undefined || servers.get(id)?.some((one) => one.id === upstream)
    );
  const shown = { call, servers, facts: factsOf(call) };
  return await pageReply(found, ({ id }) => id, call, (row) => modelJson(row, shown));
}

async function setOwn(call: ManagementCall<unknown, z.output<typeof newPrice>>) {
  const id = modelName(call);
  const { body: { from: fromMs }, state: { services: { directory }, nowMs } } = call;
  const price = readPrice(call.body.price, priceRow(id, directory, nowMs).price);
  const asked = { price, ...(fromMs !== undefined && { fromMs }) };
  if (!await setPrice(id, asked, { ...call, check: checkOf(call) })) throw declared(id);
  return await freshReply(id, call);
}

async function setChain(
  call: ManagementCall<unknown, z.output<typeof membersInput> | undefined>,
) {
  const id = modelName(call);
  const members = call.body && readChain(call.body);
  const { directory } = call.state.services;
  if (!members && !directory.model(id)?.members) throw notFound("virtual model", id);
  if (!await setMembers(id, members, { ...call, check: checkOf(call) })) throw declared(id);
  await directory.refresh();
  return id;
}

async function reset(call: ManagementCall, from?: string) {
  const id = modelName(call);
  const { directory } = call.state.services;
  if (directory.model(id)?.origin === "config") throw declared(id);
  const options = from === undefined ? {} : { from };
  if (!await deletePrice(id, options, { ...call, check: checkOf(call) })) {
    throw notFound("model with a price of its own", id);
  }
  await directory.refresh();
}

async function tryPrice(call: ManagementCall<unknown, z.output<typeof trial>>) {
  const id = modelName(call);
  const { services: { store, directory }, nowMs } = call.state;
  const price = readPrice(call.body.price, priceRow(id, directory, nowMs).price);
  return { body: reratingJson(await rerate(store, { model: id, price, directory, nowMs })) };
}

export function reratingJson(
  { calls, costNanoUsd, wouldNanoUsd, unpriced, isCut }: Rerating,
): z.output<typeof rerating> {
  const amounts = { cost: moneyText(costNanoUsd), would_cost: moneyText(wouldNanoUsd) };
  return { calls, ...amounts, unpriced, is_cut: isCut };
}

async function freshReply(
  id: string,
  call: ManagementCall,
): Promise<ApiReply<z.output<typeof model>>> {
  const { services: { directory }, nowMs } = call.state;
  await directory.refresh();
  const row = priceRow(id, directory, nowMs);
  const body = modelJson(row, { call, servers: upstreamsByModel(directory), facts: factsOf(call) });
  return { body, record: recordOf(id, directory.model(id)) };
}

/** The record behind the `ETag` of a model; most models have none. */
function recordOf(id: string, record: Model | undefined): object {
  return record ?? { id };
}

function checkOf(call: ManagementCall) {
  return (id: string, record: Model | undefined) => assertCurrent(call, recordOf(id, record));
}

/** The model of the address. Throws 404 for one that nothing serves and that has no record. */
function knownAt(call: ManagementCall): string {
  const id = modelName(call);
  const { directory } = call.state.services;
  if (directory.model(id) || upstreamsByModel(directory).has(id)) return id;
  throw notFound("model", id);
}

function modelName({ params: { id } }: Pick<ManagementCall, "params">): string {
  if (isModelName(id)) return id;
  throw notFound("model", id);
}

function declared(id: string): ManagementError {
  return new ManagementError(
    "object_protected",
    `The configuration declares model ${id}: change it there`,
  );
}

type Facts = ReadonlyMap<string, ReturnType<typeof modelRows>[number]>;

function factsOf({ state: { services: { directory }, nowMs } }: ManagementCall): Facts {
  const rows = modelRows(directory.groups(), directory, nowMs);
  return new Map(rows.map((row) => [row.id, row]));
}

function modelJson(
  { id, source, as, price, listed }: PriceRow,
  { call, servers, facts }: {
    readonly call: ManagementCall;
    readonly servers: Servers;
    readonly facts: Facts;
  },
): z.output<typeof model> {
  const record = call.state.services.directory.model(id);
  const end = retirementOf(as ?? id, call.state.services.directory.priceFeed());
  const known = facts.get(id) ?? { ...catalogModel(id), ...record, groups: [] };
  return {
    id,
    display_name: known.displayName ?? null,
    vendor: facts.get(id)?.vendor ?? record?.ownedBy ?? null,
    context_window: known.contextWindow ?? null,
    max_output_tokens: known.maxOutputTokens ?? null,
    groups: [...known.groups],
    members: record?.members?.map(memberJson) ?? null,
    upstreams: (servers.get(id) ?? []).map(({ id, upstreamModel, enabled }) => ({
      id,
      upstream_model: upstreamModel ?? null,
      enabled,
    })),
    price_source: sourceNames[source],
    priced_as: as ?? null,
    price: price ? priceJson(price) : null,
    retires: end?.date ?? null,
    successor: end?.successor ?? null,
    catalog_price: listed ? priceJson(listed) : null,
    schedule: scheduleOf(record?.price).map((one) => ({ from: one.from, price: priceJson(one) })),
  };
}

const read = "models:read";
const write = "models:write";

/** The operations of models and their prices. */
export const modelOperations: readonly ApiOperation[] = [
  operation("GET /models", {
    summary: "List models by name, with what serves each and its price",
    scope: read,
    query: filters,
    answer: listSchema(model),
  }, list),
  operation("GET /models/{id}", {
    summary: "A model; a slash in its name is written as %2F",
    scope: read,
    answer: model,
  }, async (call) => await freshReply(knownAt(call), call)),
  operation("POST /models/{id}/prices", {
    summary: "Set the price of a model, now or from a later time",
    scope: "prices:write",
    body: newPrice,
    answer: model,
    errors: changeConflicts,
  }, setOwn),
  operation("DELETE /models/{id}/prices", {
    summary: "Delete a model's own prices, so that the catalog's applies",
    scope: "prices:write",
    errors: changeConflicts,
  }, (call) => reset(call)),
  operation("DELETE /models/{id}/prices/{from}", {
    summary: "Delete the price that starts at a time",
    scope: "prices:write",
    errors: changeConflicts,
  }, (call) => {
    const atMs = Date.parse(call.params.from);
    return reset(call, Number.isNaN(atMs) ? call.params.from : momentText(atMs));
  }),
  operation("POST /models/{id}/members", {
    summary: "Make a virtual model, or set the models that answer its calls, in order",
    scope: write,
    body: membersInput,
    answer: model,
    errors: changeConflicts,
  }, async (call) => await freshReply(await setChain(call), call)),
  operation("DELETE /models/{id}/members", {
    summary: "Make a virtual model an ordinary name again",
    scope: write,
    errors: changeConflicts,
  }, async (call) => void await setChain({ ...call, body: undefined })),
  operation("POST /models/{id}/rerate", {
    summary: "Compute what the calls of the last seven days would have cost at a price",
    scope: "prices:read",
    body: trial,
    answer: rerating,
  }, tryPrice),
];
