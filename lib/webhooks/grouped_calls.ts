import { type LimitState, limitTitle } from "../canonical/mod.ts";
import { newOrderedId } from "../store/kv/id.ts";
import { failureOf, type RequestLogRow, type Spender } from "../store/log/mod.ts";
import type { WebhookEvent } from "../store/webhooks/mod.ts";
import { newEvent } from "./event_types.ts";

/** The part of a failed call that its event reports. Contains no prompt and no upstream's message. */
export type NotedFailure =
  & Pick<RequestLogRow, "keyId" | "keyName" | "accountId" | "model" | "upstreamId" | "status">
  & { readonly callId: string; readonly cause: string };

/** A call that a limit refused. The name of its key is read when the event is written. */
export interface NotedRefusal extends Spender {
  readonly limit: Pick<LimitState, "name" | "kind" | "ownerId">;
}

/** Calls of one kind since the last event about them. */
interface CallGroup<Sample> {
  /** The first of these calls. */
  readonly sample: Sample;
  calls: number;
  firstAtMs: number;
  lastAtMs: number;
  /** The time of the last event about this kind. */
  sentAtMs?: number;
}

const windowMs = 60_000;
/** The kinds in one window; calls of further kinds are not reported. */
const groupsMax = 50;

/** Counts calls by kind, so that a flood of them becomes one event a minute for each kind. */
export class GroupedCalls<Sample> {
  readonly #groups = new Map<string, CallGroup<Sample>>();

  /** Counts a call; a look-up in memory. */
  note(kind: string, sample: Sample, atMs: number): void {
    const known = this.#groups.get(kind);
    if (known === undefined && this.#groups.size >= groupsMax) return;
    const group = known?.calls ? known : { sample, calls: 0, firstAtMs: atMs, lastAtMs: atMs };
    group.sentAtMs = known?.sentAtMs;
    group.calls++;
    group.lastAtMs = atMs;
    this.#groups.set(kind, group);
  }

  /** Returns the groups that are due for an event, and forgets kinds that have become silent. */
  take(nowMs: number): CallGroup<Sample>[] {
    const due: CallGroup<Sample>[] = [];
    for (const [kind, group] of this.#groups) {
      if (nowMs - (group.sentAtMs ?? -Infinity) < windowMs) continue;
      this.#groups.delete(kind);
      if (group.calls === 0) continue;
      due.push(group);
      this.#groups.set(kind, { ...group, calls: 0, sentAtMs: nowMs });
    }
    return due;
  }
}

/**
 * Returns the call of a row if an upstream failed it or none could serve it. Faults of callers and
 * refusals by limits are not among them.
 */
export function failedCall(row: RequestLogRow): NotedFailure | undefined {
  const { id: callId, keyId, keyName, accountId, model, upstreamId, status, outcome } = row;
  const isFailed = failureOf[outcome] && row.refusedBy === undefined &&
    (outcome !== "refused" || status >= 500);
  if (!isFailed) return undefined;
  const cause = row.errorCode ?? outcome;
  return { callId, keyId, keyName, accountId, model, upstreamId, status, cause };
}

/** The kind of a failed call: its key, model and cause. */
export function failureKind({ keyId, model, cause }: NotedFailure): string {
  return `${keyId} ${cause} ${model}`;
}

export function failureEvent({ sample, ...group }: CallGroup<NotedFailure>): WebhookEvent {
  const { keyId, keyName, ...call } = sample;
  const counted = countedOf(group);
  const calls = group.calls === 1 ? "A call" : `${group.calls} calls`;
  return newEvent("call.failed", {
    ...identityAt(group.lastAtMs),
    data: {
      message: `${calls} of ${call.model} with the key ${keyName} failed: ${call.cause}`,
      key: { id: keyId, name: keyName },
      ...call,
      ...counted,
    },
  });
}

/** The event of calls that a limit refused; `keyName` is the key's, or its id if it is gone. */
export function limitEvent(
  { sample: { keyId, accountId, groupId, limit }, ...group }: CallGroup<
    NotedRefusal
  >,
  keyName: string,
): WebhookEvent {
  const caller = `with the key ${keyName}`;
  const refused = group.calls === 1
    ? `A call ${caller} was`
    : `${group.calls} calls ${caller} were`;
  return newEvent("limit.reached", {
    ...identityAt(group.lastAtMs),
    data: {
      message: `${refused} refused: the limit ${limitTitle(limit)} is reached`,
      key: { id: keyId, name: keyName },
      accountId,
      groupId,
      limit,
      ...countedOf(group),
    },
  });
}

function countedOf({ calls, firstAtMs, lastAtMs }: Omit<CallGroup<unknown>, "sample">) {
  return { calls, firstAt: isoTime(firstAtMs), lastAt: isoTime(lastAtMs) };
}

/** The id and the time of a new event. */
export function identityAt(atMs: number): { readonly id: string; readonly atMs: number } {
  return { id: `evt_${newOrderedId(atMs)}`, atMs };
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
