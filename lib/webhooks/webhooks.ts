import { isNamedByCaller, type LimitState } from "../canonical/mod.ts";
import type { WebhookSettings } from "../config.ts";
import { getAlert } from "../store/alerts/mod.ts";
import { type ApiKey, getApiKey, listApiKeys } from "../store/api_keys/mod.ts";
import { type AuditAction, type AuditEntry, getAuditEntry } from "../store/audit/mod.ts";
import type { RequestLogRow, Spender } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import {
  addressEvent,
  endpointIdsWithDeliveries,
  listEndpoints,
  listOutbox,
  mailReceiverId,
  type OutboxEntry,
  type PlannedDelivery,
  postEvent,
  postEventOnce,
  pruneDeliveries,
  type WebhookEndpoint,
  type WebhookEvent,
} from "../store/webhooks/mod.ts";
import { eventOfAlert } from "./alert_event.ts";
import { type DeliveryTest, testDelivery } from "./attempt.ts";
import { Deliveries, type DeliveryOptions } from "./deliveries.ts";
import { type EventType, newEvent } from "./event_types.ts";
import {
  failedCall,
  failureEvent,
  failureKind,
  GroupedCalls,
  identityAt,
  isoTime,
  limitEvent,
  type NotedFailure,
  type NotedRefusal,
} from "./grouped_calls.ts";
import { isMailed, MailPace, mailReaders } from "./mails.ts";
import {
  configuredId,
  configuredReceiver,
  receiverOf,
  receiversOf,
  wantsEvent,
} from "./receiver.ts";
import { type OpenedTarget, UpstreamWatch, type WatchedState } from "./upstream_watch.ts";

const keyTypes = {
  created: "key.created",
  rotated: "key.rotated",
  enabled: "key.enabled",
  disabled: "key.disabled",
  deleted: "key.deleted",
} as const satisfies Partial<Record<AuditAction, EventType>>;

/** The event of an entry of the audit log; undefined for one that no event reports. */
export function eventOfAudit(entry: AuditEntry): WebhookEvent | undefined {
  const { id, kind, action, atMs, actorId, actorName, targetId, targetName } = entry;
  if (action === "recording-started" || action === "recording-stopped") {
    return recordingEvent(entry, action);
  }
  if (kind !== "key" || !isKeyEvent(action)) return undefined;
  return newEvent(keyTypes[action], {
    id: `evt_${id}`,
    atMs,
    data: {
      message: `${actorName} ${action} the key ${targetName}`,
      key: { id: targetId, name: targetName },
      actor: { id: actorId, name: actorName },
    },
  });
}

function recordingEvent(
  { id, kind, atMs, actorId, actorName, targetId, targetName, changes }: AuditEntry,
  action: "recording-started" | "recording-stopped",
): WebhookEvent {
  const started = action === "recording-started";
  const until = changes.find(({ field }) => field === "recordedUntil")?.after;
  const whose = kind === "key" ? `the key ${targetName}` : targetName;
  const target = { id: targetId, name: targetName };
  return newEvent(started ? "recording.started" : "recording.stopped", {
    id: `evt_${id}`,
    atMs,
    data: {
      message: started
        ? `${actorName} records the contents of calls of ${whose} until ${until}`
        : `${actorName} stopped recording the contents of calls of ${whose}`,
      ...(kind === "key" ? { key: target } : { user: target }),
      actor: { id: actorId, name: actorName },
      ...(until !== undefined && { until }),
    },
  });
}

function isKeyEvent(action: AuditAction): action is keyof typeof keyTypes {
  return Object.hasOwn(keyTypes, action);
}

const dayMs = 86_400_000;
/** Keys that expired longer ago are not reported: their marks may be gone. */
const reportedMs = dayMs;

/** Reports the keys that have expired, each once. */
async function reportExpiredKeys(store: Store, nowMs: number): Promise<void> {
  for (const apiKey of await listApiKeys(store)) {
    const { id, expiresAtMs = Infinity } = apiKey;
    if (expiresAtMs > nowMs || nowMs - expiresAtMs > reportedMs) continue;
    const mark = { id: `expired:${id}:${expiresAtMs}`, lifetimeMs: 2 * reportedMs };
    await postEventOnce(store, expiredEvent(apiKey, expiresAtMs, nowMs), mark);
  }
}

function expiredEvent({ id, name, accountId }: ApiKey, expiresAtMs: number, nowMs: number) {
  const expiredAt = isoTime(expiresAtMs);
  const message = `The key ${name} expired at ${expiredAt}`;
  return newEvent("key.expired", {
    ...identityAt(nowMs),
    data: { message, key: { id, name }, accountId, expiredAt },
  });
}

/**
 * Reports events to endpoints. Calls only note what happened, in memory; `pass` does the rest in the
 * background. Of all isolates that share a store, one addresses an event, and one at a time sends
 * it.
 */
export class Webhooks {
  readonly #options: DeliveryOptions;
  readonly #store: Store;
  readonly #deliveries: Deliveries;
  readonly #failures = new GroupedCalls<NotedFailure>();
  readonly #refusals = new GroupedCalls<NotedRefusal>();
  readonly #upstreams: UpstreamWatch;
  readonly #mailPace = new MailPace();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#deliveries = new Deliveries(options);
    this.#upstreams = new UpstreamWatch(options.store);
  }

  /** Notes a failed call; ignores others. Never waits. */
  noteCall(row: RequestLogRow): void {
    const call = failedCall(row);
    if (call) this.#failures.note(failureKind(call), call, this.#options.now());
  }

  /** Notes a call that a limit refused, of all sessions or child keys of a key together. Never waits. */
  noteRefused(
    spender: Spender,
    { name, kind, ownerId: owner }: Pick<LimitState, "name" | "kind" | "ownerId">,
  ): void {
    const ownerId = isNamedByCaller({ name }) ? undefined : owner;
    const call = { ...spender, limit: { name, kind, ...(ownerId !== undefined && { ownerId }) } };
    this.#refusals.note(`${spender.keyId} ${name} ${ownerId}`, call, this.#options.now());
  }

  /** Notes a breaker that has opened. Never waits. */
  noteOpened(opened: OpenedTarget): void {
    this.#upstreams.noteOpened(opened);
  }

  /** Sets the source of the states by which an upstream's recovery is judged. */
  watchUpstreams(states: () => readonly WatchedState[]): void {
    this.#upstreams.watch(states);
  }

  /** Writes the events that were noted, and addresses all that wait. */
  async address(): Promise<void> {
    await this.#writeNoted();
    const waiting = await listOutbox(this.#store);
    if (waiting.length === 0) return;
    const endpoints = await listEndpoints(this.#store);
    for (const taken of waiting) {
      const event = await this.#eventOf(taken.entry);
      const endpointIds = event ? receiversOf(event.type, endpoints, this.#configured) : [];
      const mails = event ? await this.#mailsOf(event) : [];
      const nowMs = this.#options.now();
      await addressEvent(this.#store, taken, { event, endpointIds, mails, nowMs });
    }
  }

  /** True if there may be deliveries to retry without any request. */
  get isWaiting(): boolean {
    return this.#configured !== undefined || this.#deliveries.isWaiting;
  }

  /** Sends what is due. */
  async send(signal: AbortSignal): Promise<void> {
    await this.#deliveries.sendDue(signal);
  }

  /** Reports expired keys and deletes old deliveries; for one isolate, every hour. */
  async hourly(): Promise<void> {
    const endpoints = await listEndpoints(this.#store);
    if (wanted(endpoints, "key.expired")) {
      await reportExpiredKeys(this.#store, this.#options.now());
    }
    const present = new Set([configuredId, ...endpoints.map(({ id }) => id)]);
    if (await this.#options.mail?.route()) present.add(mailReceiverId);
    for (const id of await endpointIdsWithDeliveries(this.#store)) {
      await pruneDeliveries(this.#store, id, present.has(id) ? undefined : 0);
    }
  }

  /** True if anybody receives events of a type. */
  async isWanted(type: EventType): Promise<boolean> {
    const endpoints = await listEndpoints(this.#store);
    return wanted(endpoints, type) || await this.#mails(type);
  }

  /** Sends a test to the configuration's webhook; undefined if there is none. */
  async testConfigured(signal: AbortSignal): Promise<DeliveryTest | undefined> {
    return this.#configured &&
      await testDelivery(configuredReceiver(this.#configured), { ...this.#options, signal });
  }

  /** Sends a test to an endpoint, whether it is enabled or not. */
  async test(endpoint: WebhookEndpoint, signal: AbortSignal): Promise<DeliveryTest> {
    const receiver = receiverOf(endpoint, this.#options.now());
    return await testDelivery(receiver, { ...this.#options, signal });
  }

  get #configured(): WebhookSettings | undefined {
    return this.#options.configured;
  }

  async #writeNoted(): Promise<void> {
    const nowMs = this.#options.now();
    const [failures, refusals] = [this.#failures.take(nowMs), this.#refusals.take(nowMs)];
    const hasNoted = failures.length + refusals.length > 0 || this.#upstreams.hasOpened;
    const endpoints = hasNoted ? await listEndpoints(this.#store) : [];
    if (wanted(endpoints, "call.failed")) {
      for (const group of failures) await postEvent(this.#store, failureEvent(group));
    }
    if (wanted(endpoints, "limit.reached")) {
      for (const group of refusals) {
        const apiKey = await getApiKey(this.#store, group.sample.keyId);
        const name = apiKey?.name ?? group.sample.keyId;
        await postEvent(this.#store, limitEvent(group, name));
      }
    }
    const mails = this.#upstreams.hasOpened && await this.#mails("upstream.down");
    await this.#upstreams.report(
      nowMs,
      (type) => wanted(endpoints, type) || (mails && isMailed(type)),
    );
  }

  /** True if events of a type are sent as mails. */
  async #mails(type: EventType): Promise<boolean> {
    return isMailed(type) && await this.#options.mail?.route() !== undefined;
  }

  async #mailsOf(event: WebhookEvent): Promise<readonly PlannedDelivery[]> {
    const { mail, report } = this.#options;
    if (!mail || !isMailed(event.type) || !await mail.route()) return [];
    if (!this.#mailPace.takes(event)) {
      report("warn", "Event is not mailed: too many of its kind", { eventId: event.id });
      return [];
    }
    return await mail.mailsOf(event, await mailReaders(this.#store, event));
  }

  async #eventOf(entry: OutboxEntry): Promise<WebhookEvent | undefined> {
    switch (entry.source) {
      case "event":
        return entry.event;
      case "alert": {
        const alert = await getAlert(this.#store, entry.id);
        return alert && eventOfAlert(alert);
      }
      case "audit": {
        const audit = await getAuditEntry(this.#store, entry.id);
        return audit && eventOfAudit(audit);
      }
      default:
        return entry satisfies never;
    }
  }
}

function wanted(endpoints: readonly WebhookEndpoint[], type: EventType): boolean {
  return endpoints.some((endpoint) => wantsEvent(endpoint, type));
}
