import { z } from "zod";
import { activeAlerts } from "../alerts/mod.ts";
import { cacheAdviceText, limitOwners } from "../canonical/mod.ts";
import { type Alert, getAlert, listAlerts } from "../store/alerts/mod.ts";
import { ManagementError, notFound } from "./http/error.ts";
import { operation } from "./http/operation.ts";
import { listSchema, pageQuery, readCursor, storedPageReply } from "./http/page.ts";
import {
  moneyAnswer,
  moneyText,
  named,
  optionalTime,
  timeAnswer,
  timeText,
} from "./http/schema.ts";

const base = {
  id: z.string(),
  at: timeAnswer,
  owner: z.enum(limitOwners),
  owner_id: z.string(),
  owner_name: z.string(),
  user_id: z.string().nullable().describe(
    "The account that sees it; null for groups and upstreams",
  ),
  refused: z.boolean().describe("True if calls were refused because of it"),
};

const alert = named(
  "Alert",
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("budget"),
      ...base,
      threshold: z.number().describe("In percent; 100 if calls were refused"),
      period: z.string().describe(
        "day, week, month, total, session, or a rolling length such as 5h",
      ),
      resets_at: timeAnswer.nullable(),
      limit: moneyAnswer,
      spent: moneyAnswer,
    }),
    z.object({ type: z.literal("balance"), ...base, low: moneyAnswer, balance: moneyAnswer }),
    z.object({
      type: z.literal("usage"),
      ...base,
      upstream: z.string(),
      model: z.string(),
      call_id: z.string(),
      stated_tokens: z.number(),
      counted_tokens: z.number(),
      charged: z.enum(["stated", "counted"]),
    }),
    z.object({
      type: z.literal("retirement"),
      ...base,
      model: z.string(),
      retires: z.string().describe("The day on which the vendor shuts the model down"),
      successor: z.string().nullable().describe("The model that the vendor recommends instead"),
    }),
    z.object({
      type: z.literal("cache"),
      ...base,
      session: z.string().nullable(),
      model: z.string(),
      call_id: z.string(),
      calls: z.number(),
      written_tokens: z.number(),
      lost: moneyAnswer.describe("The extra cost of the calls over the same calls without caches"),
      cache_miss: z.string().nullable().describe("The known cause, such as `tool 7`"),
      advice: z.string().describe("The one setting that helps"),
    }),
  ]),
);

const query = pageQuery.extend({
  active: z.enum(["true"]).optional()
    .describe("Lists only alerts that still hold, one for each budget or balance, on one page"),
});

const tested = z.object({
  result: z.string().describe("`delivered`, or what failed"),
});

/** Reads alerts, and tests their webhook. */
export const alertOperations = [
  operation("GET /alerts", {
    summary: "List alerts, newest first",
    scope: "alerts:read",
    query,
    answer: listSchema(alert),
  }, async (call) => {
    const { query: { active, limit }, state: { services: { store }, nowMs } } = call;
    const before = await readCursor(call);
    const { alerts, next } = active
      ? { alerts: await activeAlerts(store, { nowMs, limit }), next: undefined }
      : await listAlerts(store, { before, limit });
    return await storedPageReply(alerts.map(alertJson), next, call);
  }),
  operation("GET /alerts/{id}", {
    summary: "Read an alert",
    scope: "alerts:read",
    answer: alert,
  }, async ({ params: { id }, state }) => {
    const found = await getAlert(state.services.store, id);
    if (!found) throw notFound("alert", id);
    return { body: alertJson(found), record: found };
  }),
  operation("POST /alerts/test", {
    summary: "Send a test alert to the webhook",
    scope: "alerts:write",
    answer: tested,
    errors: ["object_not_found"],
  }, async ({ state: { services } }) => {
    const result = await services.alerts?.test();
    if (result !== undefined) return { body: { result } };
    throw new ManagementError(
      "object_not_found",
      "No webhook receives alerts: set alerts.webhook in the configuration",
    );
  }),
];

function alertJson(one: Alert): z.output<typeof alert> {
  const { id, atMs, owner, ownerId, name, accountId = null, refused } = one;
  const common = {
    id,
    at: timeText(atMs),
    owner,
    owner_id: ownerId,
    owner_name: name,
    user_id: accountId,
    refused,
  };
  switch (one.type) {
    case "budget":
      return {
        type: "budget",
        ...common,
        threshold: one.threshold,
        period: one.period,
        resets_at: optionalTime(one.endsAtMs),
        limit: moneyText(one.limitNanoUsd),
        spent: moneyText(one.spentNanoUsd),
      };
    case "balance":
      return {
        type: "balance",
        ...common,
        low: moneyText(one.lowNanoUsd),
        balance: moneyText(one.balanceNanoUsd),
      };
    case "usage":
      return {
        type: "usage",
        ...common,
        upstream: one.upstreamId,
        model: one.model,
        call_id: one.callId,
        stated_tokens: one.statedTokens,
        counted_tokens: one.countedTokens,
        charged: one.charged,
      };
    case "retirement": {
      const { model, retires, successor = null } = one;
      return { type: "retirement", ...common, model, retires, successor };
    }
    case "cache":
      return {
        type: "cache",
        ...common,
        session: one.sessionId ?? null,
        model: one.model,
        call_id: one.callId,
        calls: one.calls,
        written_tokens: one.writtenTokens,
        lost: moneyText(one.lostNanoUsd),
        cache_miss: one.miss ?? null,
        advice: cacheAdviceText[one.advice],
      };
    default:
      return one satisfies never;
  }
}
