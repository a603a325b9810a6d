import type { ErrorCode } from "../canonical/mod.ts";
import type { Store } from "../store/mod.ts";
import { postEventAtEnd, postEventOnce, type WebhookEvent } from "../store/webhooks/mod.ts";
import { type EventType, newEvent } from "./event_types.ts";
import { identityAt, isoTime } from "./grouped_calls.ts";

/** An upstream, one of its credentials, or a model by one credential. */
interface WatchedTarget {
  readonly upstreamId: string;
  readonly credentialId?: string;
  readonly model?: string;
}

/** A breaker that has just opened. `OpenedBreaker` of `lib/routing` has this shape. */
export interface OpenedTarget {
  readonly target: WatchedTarget;
  readonly code: ErrorCode;
  readonly untilMs: number;
}

/** The state of a target. `HealthRow` of `lib/routing` has this shape. */
export interface WatchedState extends WatchedTarget {
  readonly state: string;
}

/** The lifetime of a mark, for isolates that end before their target recovers. */
const markLifetimeMs = 24 * 3_600_000;

/**
 * Reports upstreams that fail, and their recovery. Each isolate judges health by its own calls; a
 * mark in the store lets one of them report.
 */
export class UpstreamWatch {
  readonly #store: Store;
  #opened = new Map<string, OpenedTarget>();
  /** The targets that were healthy when this isolate started, and are not now. */
  readonly #failing = new Map<string, WatchedTarget>();
  #states: () => readonly WatchedState[] = () => [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Sets the source of the states by which recovery is judged. */
  watch(states: () => readonly WatchedState[]): void {
    this.#states = states;
  }

  /** Notes a breaker that has opened; never waits. */
  noteOpened(opened: OpenedTarget): void {
    this.#opened.set(nameOf(opened.target), opened);
  }

  /** True if a breaker has opened since the last report. */
  get hasOpened(): boolean {
    return this.#opened.size > 0;
  }

  /** Writes the events of targets that have failed or recovered since the last time. */
  async report(nowMs: number, isWanted: (type: EventType) => boolean): Promise<void> {
    const opened = this.#opened;
    this.#opened = new Map();
    for (const [name, one] of opened) {
      if (!isWanted(typeOf(one))) continue;
      this.#failing.set(name, one.target);
      await postEventOnce(this.#store, downEvent(one, nowMs), markOf(name));
    }
    for (const [name, target] of this.#recovered()) {
      this.#failing.delete(name);
      await postEventAtEnd(this.#store, recoveredEvent(target, nowMs), markOf(name).id);
    }
  }

  #recovered(): [string, WatchedTarget][] {
    if (this.#failing.size === 0) return [];
    const states = new Map(this.#states().map((row) => [nameOf(row), row.state]));
    return [...this.#failing].filter(([name]) => isHealthy(states.get(name)));
  }
}

/** A target that health forgot, for example because its upstream was changed, counts as healthy. */
function isHealthy(state: string | undefined): boolean {
  return state === undefined || state === "closed" || state === "cooling";
}

function typeOf({ code }: OpenedTarget) {
  return code === "upstream_unauthorized" ? "upstream.credential_refused" : "upstream.down";
}

function downEvent(opened: OpenedTarget, nowMs: number): WebhookEvent {
  const { target, code, untilMs } = opened;
  const { upstreamId, credentialId, model } = target;
  const about = identityAt(nowMs);
  const until = isoTime(untilMs);
  const place = { upstreamId, credentialId, model };
  const type = typeOf(opened);
  if (type === "upstream.credential_refused") {
    const message = `The upstream ${upstreamId} rejects the credential ${credentialId ?? "in use"}`;
    return newEvent(type, { ...about, data: { message, ...place, until } });
  }
  const message = `${placeText(target)} is down until ${until}: ${code}`;
  return newEvent(type, { ...about, data: { message, ...place, cause: code, until } });
}

function recoveredEvent(target: WatchedTarget, nowMs: number): WebhookEvent {
  const { upstreamId, credentialId, model } = target;
  const message = `${placeText(target)} has recovered`;
  return newEvent("upstream.recovered", {
    ...identityAt(nowMs),
    data: { message, upstreamId, credentialId, model },
  });
}

function placeText({ upstreamId, credentialId, model }: WatchedTarget): string {
  if (model !== undefined) return `The model ${model} of the upstream ${upstreamId}`;
  if (credentialId !== undefined) {
    return `The credential ${credentialId} of the upstream ${upstreamId}`;
  }
  return `The upstream ${upstreamId}`;
}

function nameOf({ upstreamId, credentialId = "", model = "" }: WatchedTarget): string {
  return `${upstreamId} ${credentialId} ${model}`;
}

function markOf(name: string) {
  return { id: `down:${name}`, lifetimeMs: markLifetimeMs };
}
