import { z } from "zod";
import { calledEndpoints, lookUpCall, readRequestId } from "../admin/calls.ts";
import { refuserOwners, refuserPath } from "../canonical/mod.ts";
import { skipReasons } from "../store/catalog/mod.ts";
import {
  type Attempt,
  isLogCursor,
  listRequestLogs,
  type LogFilter,
  type RequestLogRow,
  requestOutcomes,
  upstreamNanoUsdOf,
} from "../store/log/mod.ts";
import { apiLanguage, sentenceOf, verdictOf } from "../verdict/mod.ts";
import { ManagementError, notFound } from "./http/error.ts";
import { operation } from "./http/operation.ts";
import { listSchema, pageQuery, readCursor, storedPageReply } from "./http/page.ts";
import {
  moneyAnswer,
  moneyInput,
  moneyText,
  namedObject,
  timeAnswer,
  timeInput,
  timeText,
} from "./http/schema.ts";
import { bucketName, callUsage, callUsageJson } from "./token_counts.ts";

const textMax = 200;
const text = z.string().min(1).max(textMax);
const secondsMax = 86_400;

const failure = z.object({
  code: z.string(),
  type: z.string().nullable(),
  message: z.string().nullable(),
});

const refusal = z.object({
  owner: z.enum(refuserOwners),
  id: z.string(),
  url: z.string().describe("The path of the page on which its limits or rules are changed"),
}).describe("The owner of the limit or the rule that refused the call, or the upstream that did");

const facts = {
  id: z.string(),
  at: timeAnswer,
  user_id: z.string(),
  key_id: z.string(),
  key_name: z.string(),
  group: z.string(),
  project_id: z.string().nullable().describe("The account's project at the time of the call"),
  tags: z.array(z.string()).describe("The tags that it counts for, such as `team=a`"),
  model: z.string().describe("Of a virtual model: the member that was tried last"),
  virtual_model: z.string().nullable().describe("The virtual model that the caller stated"),
  upstream: z.string().nullable(),
  upstream_model: z.string().nullable(),
  format: z.string(),
  upstream_format: z.string().nullable(),
  operation: z.string(),
  stream: z.boolean(),
  status: z.number().int(),
  outcome: z.enum(requestOutcomes),
  error: failure.nullable(),
  refused_by: refusal.nullable(),
  tag: z.string().nullable(),
  session: z.string().nullable().describe("As the client claims; the filter `tag` finds it"),
  agent: z.string().nullable().describe("The sub-agent of the session"),
  request_class: z.string().nullable(),
  socket: z.string().nullable().describe("The caller's WebSocket, and its lane behind a slash"),
  replay_of: z.string().nullable()
    .describe("The call with the same Idempotency-Key whose answer this one got, without a charge"),
  usage: callUsage.nullable(),
  cost: moneyAnswer.nullable().describe("The charge; null for a model without a price"),
  uncovered_cost: moneyAnswer.nullable(),
  upstream_cost: moneyAnswer.describe("The cost of the call for the operator"),
  upstream_cost_stated: z.boolean().describe("True if the upstream's answer stated it"),
  margin: moneyAnswer.describe("`cost` minus `upstream_cost`"),
  cache_miss: z.string().nullable().describe(
    "The cause for which the call missed the cache of its session, such as `tool 7`; null: it did not",
  ),
  duration_ms: z.number(),
  first_byte_ms: z.number().nullable(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
};

const call = namedObject("Call", facts);

const callDetails = namedObject("CallDetails", {
  ...facts,
  verdict: z.string().nullable()
    .describe("The cause of a failure, its charge, and the next step; null for a success"),
  attempts: z.array(z.object({
    upstream: z.string(),
    credential: z.string().nullable().describe("The credential's name, never its value"),
    upstream_model: z.string(),
    model: z.string().nullable().describe("The member of a virtual model"),
    upstream_format: z.string().nullable(),
    started_after_ms: z.number(),
    duration_ms: z.number(),
    status: z.number().int().nullable(),
    outcome: z.enum(requestOutcomes),
    error: failure.nullable(),
  })),
  skipped_members: z.array(z.object({ model: z.string(), reason: z.enum(skipReasons) }))
    .describe("The members of a virtual model that were not tried"),
  notes: z.array(z.object({ path: z.string(), action: z.string(), reason: z.string() })),
  cost_lines: z.array(z.object({
    bucket: z.string()
      .describe(
        "Priced by itself: `uncached_input_tokens` and `visible_output_tokens` are the rest",
      ),
    quantity: z.number(),
    cost: moneyAnswer,
    saving: moneyAnswer.nullable().describe(
      "For cached tokens: what they would have cost uncached, minus `cost`",
    ),
    tier: z.string().nullable(),
    part: z.string().nullable(),
  })),
});

const query = pageQuery.extend({
  user_id: text.optional(),
  key_id: text.optional(),
  group: text.optional(),
  project_id: text.optional(),
  model: text.optional(),
  upstream: text.optional().describe("With an attempt at this upstream, also if it failed"),
  status: z.string().regex(/^(\d{3}|[1-5]xx|[a-z_]{1,20})$/, "must be a status such as 429")
    .optional()
    .describe("Such as `429`, `5xx`, an outcome such as `timeout`, or `failed`"),
  error: text.optional().describe("An error code such as `rate_limit_exceeded`"),
  failed_by: text.optional()
    .describe(
      "The limit that refused the call, such as `key daily budget`, or the upstream that failed it",
    ),
  format: z.enum(calledEndpoints).optional(),
  tag: text.optional(),
  text: text.optional()
    .describe("A part of the ID, a model, the key's name, the error, the client or the address"),
  slower_than: z.coerce.number().positive().max(secondsMax).optional().describe("In seconds"),
  cost_over: moneyInput.optional().describe("Only calls whose charge is higher"),
  from: timeInput.optional().describe("Inclusive"),
  to: timeInput.optional().describe("Exclusive"),
});
type Query = z.output<typeof query>;

/** Reads the log of calls. Nothing changes it. */
export const callOperations = [
  operation("GET /calls", {
    summary:
      "List calls, newest first; a page that reads rows may be short, or empty, and have a next one",
    scope: "calls:read",
    query,
    answer: listSchema(call),
  }, async (request) => {
    const { store, config: { limits } } = request.state.services;
    const place = await readCursor(request);
    const page = await listRequestLogs(store, {
      ...filterOf(request.query),
      before: place !== undefined && isLogCursor(place) ? place : undefined,
      limit: request.query.limit,
    }, { rowsMax: Infinity, ms: limits.logSearchMs });
    return await storedPageReply(page.rows.map(callJson), page.next, request);
  }),
  operation("GET /calls/{id}", {
    summary: "Read a call, with its attempts, notes, cost lines and verdict",
    scope: "calls:read",
    answer: callDetails,
    errors: ["store_unavailable"],
  }, async ({ params, state }) => {
    const { services: { store, archive: place }, account } = state;
    const id = readRequestId(params.id);
    const row = id && await lookUpCall({ store, place }, { id, accountId: account.token.id });
    if (row === "unreadable") throw unreadableArchive;
    if (!row) throw notFound("call", params.id);
    return { body: { ...callJson(row), ...detailsJson(row) }, record: row };
  }),
];

const unreadableArchive = new ManagementError(
  "store_unavailable",
  "The archive of the log cannot be read now. Retry in some seconds",
);

function filterOf(query: Query): LogFilter {
  const { user_id: user, key_id: key, project_id: project, group, upstream } = query;
  const { slower_than: slower, cost_over: dearer } = query;
  const { model, status, error, failed_by: failedBy, format, tag, text, from, to } = query;
  const filter = {
    accountId: user,
    keyId: key,
    groupId: group,
    projectId: project,
    upstreamId: upstream,
    slowerThanMs: slower === undefined ? undefined : Math.round(slower * 1_000),
    dearerThanNanoUsd: dearer,
    ...{ model, status, errorCode: error, failedBy, format, tag, text, fromMs: from, toMs: to },
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function callJson(row: RequestLogRow): z.output<typeof call> {
  const { costNanoUsd, uncoveredNanoUsd } = row;
  const upstreamNanoUsd = upstreamNanoUsdOf(row);
  return {
    id: row.id,
    at: timeText(row.atMs),
    user_id: row.accountId,
    key_id: row.keyId,
    key_name: row.keyName,
    group: row.groupId,
    project_id: row.projectId ?? null,
    tags: [...row.tags ?? []],
    model: row.model,
    virtual_model: row.chain?.name ?? null,
    upstream: row.upstreamId ?? null,
    upstream_model: row.upstreamModel ?? null,
    format: row.format,
    upstream_format: row.upstreamFormat ?? null,
    operation: row.operation,
    stream: row.stream,
    status: row.status,
    outcome: row.outcome,
    error: errorJson(row),
    refused_by: refusalJson(row),
    tag: row.tag ?? null,
    session: row.session?.id ?? null,
    agent: row.session?.agent ?? null,
    request_class: row.session?.requestClass ?? null,
    socket: row.socket ?? null,
    replay_of: row.replayOf ?? null,
    usage: row.usage ? callUsageJson(row.usage) : null,
    cost: costNanoUsd === undefined ? null : moneyText(costNanoUsd),
    uncovered_cost: uncoveredNanoUsd === undefined ? null : moneyText(uncoveredNanoUsd),
    upstream_cost: moneyText(upstreamNanoUsd),
    upstream_cost_stated: row.upstreamCost?.isStated === true,
    margin: moneyText((costNanoUsd ?? 0n) - upstreamNanoUsd),
    cache_miss: row.cacheMiss ?? null,
    duration_ms: row.durationMs,
    first_byte_ms: row.firstByteMs ?? null,
    user_agent: row.userAgent ?? null,
    ip: row.ip ?? null,
  };
}

function detailsJson(row: RequestLogRow) {
  const verdict = verdictOf(row);
  return {
    verdict: verdict ? sentenceOf(verdict, apiLanguage) : null,
    attempts: (row.attempts ?? []).map(attemptJson),
    skipped_members: (row.chain?.skipped ?? []).map((one) => ({ ...one })),
    notes: (row.notes ?? []).map(({ path, action, reason }) => ({ path, action, reason })),
    cost_lines: (row.costLines ?? []).map((line) => ({
      bucket: bucketName(line.bucket),
      quantity: line.quantity,
      cost: moneyText(line.nanoUsd),
      saving: line.savedNanoUsd === undefined ? null : moneyText(line.savedNanoUsd),
      tier: line.tier ?? null,
      part: line.part ?? null,
    })),
  };
}

function attemptJson(attempt: Attempt) {
  return {
    upstream: attempt.upstreamId,
    credential: attempt.credentialId ?? null,
    upstream_model: attempt.upstreamModel,
    model: attempt.model ?? null,
    upstream_format: attempt.upstreamFormat ?? null,
    started_after_ms: attempt.startedAfterMs,
    duration_ms: attempt.durationMs,
    status: attempt.status ?? null,
    outcome: attempt.outcome,
    error: errorJson(attempt),
  };
}

function errorJson(
  { errorCode, errorType, errorMessage }: Pick<Attempt, "errorCode" | "errorType" | "errorMessage">,
) {
  if (errorCode === undefined) return null;
  return { code: errorCode, type: errorType ?? null, message: errorMessage ?? null };
}

function refusalJson(row: RequestLogRow): z.output<typeof refusal> | null {
  const refuser = verdictOf(row)?.refuser;
  return refuser ? { ...refuser, url: refuserPath(refuser, row.keyId) } : null;
}
