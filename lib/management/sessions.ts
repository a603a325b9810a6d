import { z } from "zod";
import { cacheAdviceText } from "../canonical/mod.ts";
import { cacheReport, keySessions, type SessionSummary, sessionUsage } from "../ledger/mod.ts";
import { type ApiKey, getApiKey } from "../store/api_keys/mod.ts";
import { notFound } from "./http/error.ts";
import { type ManagementCall, operation } from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import { namedObject, timeAnswer, timeText } from "./http/schema.ts";
import { counts, countsJson } from "./usage.ts";

const session = namedObject("Session", {
  id: z.string().describe("As the client claims"),
  first_at: timeAnswer.describe("The start of the first hour with calls"),
  last_at: timeAnswer.describe("The start of the last hour with calls"),
  ...counts,
});

const sessionDetails = namedObject("SessionDetails", {
  id: z.string(),
  ...counts,
  turns: z.number().int().describe("The calls of the main agent"),
  cache: z.object({
    misses: z.array(z.object({
      call_id: z.string(),
      at: timeAnswer,
      cause: z.string().describe(
        "The first difference from the call before: `model`, `upstream`, `expired`, `system`, `tool 7`, `message 12`, or `unknown` for nothing",
      ),
    })).describe("The latest calls that missed a cache, newest first; at most 20"),
    advice: z.string().nullable().describe("The one setting that helps; null: caches serve"),
  }),
  models: z.array(z.object({ model: z.string().nullable(), ...counts })).describe("Dearest first"),
  parts: z.array(z.object({
    agent: z.string().nullable().describe("The sub-agent; null: the main agent, or unknown"),
    request_class: z.string().nullable().describe("As the client claims; null: unknown"),
    ...counts,
  })).describe("Dearest first; together all calls of the session"),
  hours: z.array(z.object({ at: timeAnswer, ...counts })).describe("The hours with calls"),
});

/** Reads what the sessions of a key spent. */
export const sessionOperations = [
  operation("GET /keys/{id}/sessions", {
    summary: "List the sessions of a key in the last 30 days, the last used first",
    scope: "usage:read",
    query: pageQuery,
    answer: listSchema(session),
  }, async (call) => {
    const { services: { store } } = call.state;
    const sessions = await keySessions(store, await keyAt(call));
    return await pageReply(sessions, lastUsedFirst, call, sessionView);
  }),
  operation("GET /keys/{id}/sessions/{session}", {
    summary: "Add up a session of a key by sub-agent and request class, and by hour",
    scope: "usage:read",
    answer: sessionDetails,
  }, async (call) => {
    const { params: { session: id }, state: { services: { store } } } = call;
    const apiKey = await keyAt(call);
    const { counts, turns, models, parts, hours } = await sessionUsage(store, apiKey, { id });
    if (counts.requests === 0) throw notFound("session", id);
    const { misses, advice } = await cacheReport(store, apiKey, { id }, counts);
    return {
      body: {
        id,
        ...countsJson(counts),
        turns,
        cache: {
          misses: misses.map(({ id, atMs, cacheMiss }) => ({
            call_id: id,
            at: timeText(atMs),
            cause: cacheMiss,
          })),
          advice: advice === undefined ? null : cacheAdviceText[advice],
        },
        models: models.map(({ model = null, counts }) => ({ model, ...countsJson(counts) })),
        parts: parts.map(({ agent = null, requestClass = null, counts }) => ({
          agent,
          request_class: requestClass,
          ...countsJson(counts),
        })),
        hours: hours.map(({ atMs, sum }) => ({ at: timeText(atMs), ...countsJson(sum) })),
      },
    };
  }),
];

async function keyAt({ params: { id }, state }: ManagementCall): Promise<ApiKey> {
  const apiKey = await getApiKey(state.services.store, id);
  if (apiKey) return apiKey;
  throw notFound("API key", id);
}

function lastUsedFirst({ lastAtMs, id }: SessionSummary): string {
  return `${String(Number.MAX_SAFE_INTEGER - lastAtMs).padStart(16, "0")} ${id}`;
}

function sessionView({ id, firstAtMs, lastAtMs, counts }: SessionSummary) {
  return { id, first_at: timeText(firstAtMs), last_at: timeText(lastAtMs), ...countsJson(counts) };
}
