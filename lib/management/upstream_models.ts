import { z } from "zod";
import { faults } from "../admin/faults.ts";
import {
  type ChosenModel,
  type ImportChoice,
  importFault,
} from "../admin/upstreams/import_choice.ts";
import { importModels, type ImportRow, upstreamListing } from "../admin/upstreams/import_models.ts";
import { servedModels } from "../admin/upstreams/served_models.ts";
import { upstreamModelsMax } from "../admin/upstreams/upstream_form.ts";
import {
  modelTestsMax,
  testedModels,
  testUpstream,
  type UpstreamTest,
} from "../admin/upstreams/upstream_state.ts";
import type { ModelReport } from "../upstreams/mod.ts";
import { invalidField, ManagementError } from "./http/error.ts";
import { type ApiOperation, type ManagementCall, operation } from "./http/operation.ts";
import { listSchema } from "./http/page.ts";
import { namedObject } from "./http/schema.ts";
import { calledUpstream, noUpstream, replyWith, upstreamAnswer } from "./upstream_json.ts";

const connection = namedObject("ConnectionReport", {
  is_ready: z.boolean().describe("True if calls may succeed"),
  state: z.string().describe("Such as `ok`, `key-refused` or `timeout`"),
  url: z.string().nullable(),
  took_ms: z.number(),
  status: z.int().nullable().describe("The upstream's status"),
  message: z.string().nullable().describe("The upstream's message, or the network's error"),
  models: z.int().nullable().describe("The models on the first page of its list"),
  suggested_base_url: z.string().nullable(),
  clock_ahead_ms: z.number().nullable(),
  identity: z.string().nullable().describe(
    "The name under which the cloud knows the first credential",
  ),
  advice: z.string().nullable()
    .describe("The fault at its cloud, such as `region`, `right`, `access` or `clock`"),
});

const modelReport = namedObject("ModelReport", {
  model: z.string(),
  took_ms: z.number(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  error: z.object({
    code: z.string(),
    status: z.int().nullable(),
    message: z.string(),
  }).nullable().describe("Null if it answered"),
});

const listedModel = namedObject("ListedModel", {
  upstream_model: z.string().describe("The upstream's own name"),
  status: z.enum(["new", "known", "pattern", "gone"])
    .describe(
      "Served here by name (`known`) or by a pattern, `new`, or no longer listed (`gone`)",
    ),
  served_as: z.string().nullable().describe("The public name or pattern"),
  context_window: z.number().nullable(),
  max_output_tokens: z.number().nullable(),
  input_price: z.number().nullable().describe("US dollars for a million tokens"),
  output_price: z.number().nullable(),
});

const name = z.string().max(250);
const tokens = z.int().min(1).max(9_999_999_999);
const usd = z.string().max(40);
const imported = z.strictObject({
  add: z.array(z.strictObject({
    upstream_model: name.min(1),
    id: name.optional().describe("The public name, if it differs"),
    context_window: tokens.optional(),
    max_output_tokens: tokens.optional(),
    input_price: usd.optional().describe("US dollars for a million tokens"),
    output_price: usd.optional(),
  })).max(upstreamModelsMax).default([]),
  remove: z.array(name).max(upstreamModelsMax).default([]).describe("Public names and patterns"),
});

const tests = z.strictObject({
  models: z.array(name).min(1).max(modelTestsMax).describe("Public names"),
});

/** No caller waits longer for an upstream. */
const patienceMs = 120_000;

async function test(call: ManagementCall) {
  const upstream = await calledUpstream(call);
  const report = await testUpstream(upstream, call.state, AbortSignal.timeout(patienceMs));
  return { body: connectionJson(report) };
}

async function testModels(call: ManagementCall<unknown, z.output<typeof tests>>) {
  const { body: { models: names }, state } = call;
  const upstream = await calledUpstream(call);
  const served = servedModels(upstream, state.services.directory, state.nowMs);
  const models = names.map((id) => served.find((one) => one.id === id) ?? notServed(id));
  const reports = testedModels(upstream, models, {
    state,
    caller: AbortSignal.timeout(patienceMs),
  });
  return { body: { data: (await Array.fromAsync(reports)).map(reportJson), next_cursor: null } };
}

function notServed(id: string): never {
  throw invalidField("models", `the upstream does not serve ${id.slice(0, 100)}`);
}

async function available(call: ManagementCall) {
  const upstream = await calledUpstream(call);
  const caller = AbortSignal.timeout(patienceMs);
  const listing = await upstreamListing(upstream, { state: call.state, caller });
  if (listing.type === "failed") throw new ManagementError("upstream_error", listing.said);
  const { rows, isComplete } = listing.comparison;
  return { body: { data: rows.map(listedJson), next_cursor: null, is_complete: isComplete } };
}

async function importSome(call: ManagementCall<unknown, z.output<typeof imported>>) {
  const upstream = await calledUpstream(call);
  const choice = choiceOf(call.body);
  const fault = importFault(upstream, choice);
  if (fault) throw invalidField("add", faults.import[fault]);
  await importModels(upstream.id, choice, call);
  await call.state.services.directory.refresh();
  return replyWith(await calledUpstream(call) ?? noUpstream(upstream.id), call);
}

function choiceOf({ add, remove }: z.output<typeof imported>): ImportChoice {
  const added = add.map((one): ChosenModel => ({
    own: one.upstream_model,
    id: one.id ?? one.upstream_model,
    limits: {
      ...(one.context_window !== undefined && { contextWindow: one.context_window }),
      ...(one.max_output_tokens !== undefined && { maxOutputTokens: one.max_output_tokens }),
    },
    priceIn: one.input_price ?? "",
    priceOut: one.output_price ?? "",
  }));
  return { added, removed: remove, isConfirmed: true };
}

function connectionJson(report: UpstreamTest): z.output<typeof connection> {
  return {
    is_ready: report.isReady,
    state: report.state,
    url: report.url ?? null,
    took_ms: report.tookMs,
    status: report.status ?? null,
    message: report.said ?? null,
    models: report.models ?? null,
    suggested_base_url: report.suggestedBaseUrl ?? null,
    clock_ahead_ms: report.clockAheadMs ?? null,
    identity: report.identity ?? null,
    advice: report.advice ?? null,
  };
}

function reportJson({ model, tookMs, fault, tokens }: ModelReport): z.output<typeof modelReport> {
  const error = fault && { code: fault.code, status: fault.status ?? null, message: fault.said };
  return { model, took_ms: tookMs, tokens: tokens ?? null, error: error ?? null };
}

function listedJson(row: ImportRow): z.output<typeof listedModel> {
  return {
    upstream_model: row.own,
    status: row.status,
    served_as: row.entry ?? null,
    context_window: row.contextWindow ?? null,
    max_output_tokens: row.maxOutputTokens ?? null,
    input_price: row.price?.input ?? null,
    output_price: row.price?.output ?? null,
  };
}

const read = "upstreams:read";
const write = "upstreams:write";

/** The operations that call an upstream, and the import of its models. */
export const upstreamModelOperations: readonly ApiOperation[] = [
  operation("POST /upstreams/{id}/test", {
    summary: "Test whether an upstream accepts its first credential; free at every vendor",
    scope: write,
    answer: connection,
  }, test),
  operation("POST /upstreams/{id}/test-models", {
    summary: "Request one word from each of the models, which the vendor bills",
    scope: write,
    body: tests,
    answer: listSchema(modelReport),
  }, testModels),
  operation("GET /upstreams/{id}/available-models", {
    summary: "List the models that an upstream offers, compared with those that it serves here",
    scope: read,
    answer: z.object({
      ...listSchema(listedModel).shape,
      is_complete: z.boolean().describe("False if the upstream's list goes on"),
    }),
    errors: ["upstream_error"],
  }, available),
  operation("POST /upstreams/{id}/import-models", {
    summary: "Add models to an upstream, with limits and prices, and remove others",
    scope: write,
    body: imported,
    answer: upstreamAnswer,
    errors: ["object_protected", "concurrent_changes"],
  }, importSome),
];
