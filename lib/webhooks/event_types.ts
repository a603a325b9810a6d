import { z } from "zod";
import { limitOwners } from "../canonical/mod.ts";
import type { WebhookEvent } from "../store/webhooks/mod.ts";

const time = z.iso.datetime().describe("ISO 8601, in UTC");
const usd = z.string().regex(/^-?\d+(\.\d+)?$/).describe("US dollars as a decimal number, exact");
const message = z.string().describe("One English sentence, for receivers that pass it on as text");
const accountId = z.string().optional().describe("The account; absent if there is none");

const keyRef = z.object({ id: z.string(), name: z.string() }).describe("The API key");
const actor = z.object({ id: z.string(), name: z.string() })
  .describe("The user or API token that made the change");
const id = z.string().describe("The event's id, as in `webhook-id`");

const keyChange = z.object({ id, message, key: keyRef, actor });

const recordingChange = z.object({
  id,
  message,
  key: keyRef.optional().describe("The key; absent if all calls of a user are meant"),
  user: z.object({ id: z.string(), name: z.string() }).optional().describe("The user"),
  actor,
  until: time.optional().describe("The end of the recording, if it was started"),
});

const counted = {
  calls: z.int().min(1).describe("The number of calls since the last event of their kind"),
  firstAt: time.describe("The time of the first of these calls"),
  lastAt: time.describe("The time of the last of these calls"),
};

const health = {
  upstreamId: z.string().describe("The upstream"),
  credentialId: z.string().optional().describe("The name of the credential; never its value"),
  model: z.string().optional()
    .describe("The upstream's own name of the model, if only that is concerned"),
};

const until = time.describe("The time at which the gateway tries again");

const alertOwner = z.object({
  type: z.enum(limitOwners),
  id: z.string(),
  name: z.string(),
}).describe("The owner of the budget or balance, or the key of the call");

const budget = z.object({
  id,
  message,
  owner: alertOwner,
  accountId,
  threshold: z.number().describe("The percentage; 100 if calls were refused"),
  period: z.object({
    type: z.string().describe("day, week, month, total, session, or a rolling length such as 5h"),
    id: z.string(),
    timeZone: z.string(),
    endsAt: time.optional().describe(
      "Absent for a budget that never resets. By then, all that a rolling budget has spent no longer counts",
    ),
  }),
  limitUsd: usd,
  spentUsd: usd,
});

const balance = z.object({
  id,
  message,
  owner: alertOwner,
  accountId,
  lowBalanceUsd: usd.describe("The configured minimum"),
  balanceUsd: usd,
});

const sums = {
  calls: z.int(),
  failed: z.int().describe("Those of them that failed"),
  costUsd: usd,
};

const ranking = z.array(
  z.object({ id: z.string(), name: z.string(), calls: z.int(), costUsd: usd }),
)
  .describe("At most five, highest cost first");

interface TypeRow {
  /** The occasion, as it follows "sent when". */
  readonly when: string;
  readonly frequency: string;
  readonly data: z.ZodObject;
  /** True for types that the webhook of the configuration receives. */
  readonly isAlert?: true;
}

const once = "once for each change";
const grouped = "at most once a minute for each key, model and cause, from each isolate";

/** Every type of event, with the fields of its `data`. */
export const eventTypes = {
  "key.created": { when: "a key is created", frequency: once, data: keyChange },
  "key.rotated": { when: "a key gets a new secret", frequency: once, data: keyChange },
  "key.enabled": { when: "a key is enabled again", frequency: once, data: keyChange },
  "key.disabled": { when: "a key is disabled", frequency: once, data: keyChange },
  "key.deleted": { when: "a key is deleted", frequency: once, data: keyChange },
  "key.expired": {
    when: "a key has reached its expiry",
    frequency: "once for each expiry, within an hour",
    data: z.object({ id, message, key: keyRef, accountId, expiredAt: time }),
  },
  "recording.started": {
    when: "an operator begins to record the contents of a key's or a user's calls",
    frequency: once,
    data: recordingChange,
  },
  "recording.stopped": {
    when: "an operator stops a recording before its end",
    frequency: once,
    data: recordingChange,
  },
  "call.failed": {
    when: "an upstream fails a call, or no upstream can serve it",
    frequency: grouped,
    data: z.object({
      id,
      message,
      key: keyRef,
      accountId,
      model: z.string().describe("The model that the caller named"),
      upstreamId: z.string().optional().describe("The upstream that was called last"),
      cause: z.string().describe("The error code, such as `upstream_timeout`"),
      status: z.int().describe("The HTTP status that the caller received"),
      callId: z.string().describe("The first of these calls, as in the usage log"),
      ...counted,
    }),
  },
  "limit.reached": {
    when: "calls are refused because a budget or a limit is reached",
    frequency: "at most once a minute for each key and limit, from each isolate",
    data: z.object({
      id,
      message,
      key: keyRef,
      accountId,
      groupId: z.string(),
      limit: z.object({
        name: z.string().describe("Such as `key requests per minute`"),
        kind: z.enum(["requests", "tokens", "money", "concurrency"]),
        ownerId: z.string().optional().describe("The project or the tag, if one has the limit"),
      }),
      ...counted,
    }),
  },
  "upstream.down": {
    when: "failures stop calls to an upstream, or to one of its models or credentials",
    frequency: "once until it has recovered",
    data: z.object({
      id,
      message,
      ...health,
      cause: z.string().describe("The error code of the last failure"),
      until,
    }),
  },
  "upstream.recovered": {
    when: "calls to it are possible again",
    frequency: "once after each `upstream.down` and `upstream.credential_refused`",
    data: z.object({ id, message, ...health }),
  },
  "upstream.credential_refused": {
    when: "an upstream rejects a credential of the gateway",
    frequency: "once until the credential is accepted",
    data: z.object({ id, message, ...health, until }),
  },
  "budget.threshold_reached": {
    when: "a budget of a key, a group or an account reaches one of `thresholds`",
    frequency: "once for each period and threshold; of a rolling budget, again after its length",
    data: budget,
    isAlert: true,
  },
  "budget.calls_refused": {
    when: "calls are refused because a budget is short; counts as 100%",
    frequency: "once for each period, or length of a rolling budget, instead of 100%",
    data: budget,
    isAlert: true,
  },
  "balance.low": {
    when: "a prepaid account's balance falls below `lowBalanceUsd` after a call",
    frequency: "once, and again after the balance was above it",
    data: balance,
    isAlert: true,
  },
  "balance.calls_refused": {
    when: "calls are refused because the balance is short",
    frequency: "once, and again after the balance was above `lowBalanceUsd`",
    data: balance,
    isAlert: true,
  },
  "usage.implausible": {
    when: "an upstream states more tokens than a call's request allows",
    frequency: "once a day for each upstream",
    data: z.object({
      id,
      message,
      owner: alertOwner,
      upstreamId: z.string(),
      model: z.string(),
      callId: z.string(),
      statedTokens: z.int(),
      countedTokens: z.int(),
      charged: z.enum(["stated", "counted"]),
    }),
    isAlert: true,
  },
  "model.retiring": {
    when: "the vendor shuts down, within 60 days, a model that was called in the last week",
    frequency: "once for each model and date",
    data: z.object({
      id,
      message,
      owner: alertOwner,
      model: z.string(),
      retires: z.iso.date().describe("The day of the end"),
      successor: z.string().optional().describe("The model that the vendor recommends instead"),
    }),
    isAlert: true,
  },
  "cache.never_read": {
    when: "three or more calls of a key or session write caches within a day, and none reads them",
    frequency: "once in 30 days for each session, and for a key's calls without one",
    data: z.object({
      id,
      message,
      owner: alertOwner,
      accountId,
      sessionId: z.string().optional().describe("Absent for calls without a session"),
      model: z.string(),
      callId: z.string().describe("The last of these calls"),
      calls: z.int(),
      writtenTokens: z.int(),
      lostUsd: usd.describe("The extra cost of these calls over the same calls without caches"),
      miss: z.string().optional().describe("The known cause, such as `tool 7`"),
      advice: z.string().describe(
        "The setting that helps, such as `lifetime`; in words at the end of `message`",
      ),
    }),
    isAlert: true,
  },
  "report.weekly": {
    when: "a week has ended: on Monday from 8:00 in the gateway's time zone",
    frequency: "once a week",
    data: z.object({
      id,
      message,
      from: time.describe("The start of the week"),
      to: time.describe("Its end, exclusive"),
      ...sums,
      previousCostUsd: usd.describe("The cost of the week before"),
      users: ranking.describe("The users with the highest cost, by e-mail address"),
      models: ranking,
      keys: ranking,
      failures: z.array(z.object({ model: z.string(), calls: z.int(), failed: z.int() }))
        .describe("The models with the most failed calls"),
      lowBalances: z.array(z.object({ id: z.string(), name: z.string(), balanceUsd: usd }))
        .describe("Prepaid accounts that are low, lowest first"),
      expiringKeys: z.array(z.object({ id: z.string(), name: z.string(), expiresAt: time }))
        .describe("Keys that expire within 14 days"),
    }),
  },
} as const satisfies Record<string, TypeRow>;

/** The type of an event, such as `key.created`. */
export type EventType = keyof typeof eventTypes;

/** All types, in the order of the table. */
export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]]; // its own keys

/** True for the types that the webhook of the configuration receives. */
export function isAlertType(type: string): boolean {
  const rows: Readonly<Record<string, TypeRow>> = eventTypes;
  return Object.hasOwn(rows, type) && rows[type].isAlert === true;
}

/** The members of an event's `data`, but for its id. */
export type EventData<Type extends EventType> = Omit<
  z.infer<typeof eventTypes[Type]["data"]>,
  "id"
>;

/** Writes an event: the same bytes at every attempt. */
export function newEvent<Type extends EventType>(
  type: Type,
  { id, atMs, data }: {
    readonly id: string;
    readonly atMs: number;
    readonly data: EventData<Type>;
  },
): WebhookEvent {
  return { id, type, atMs, body: eventBody(type, atMs, { id, ...data }) };
}

/** The body of an event: JSON with `type`, `timestamp` and `data`. */
export function eventBody(type: string, atMs: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data });
}
