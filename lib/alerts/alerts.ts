import type { LimitState } from "../canonical/mod.ts";
import { type Alert, type RequestLogRow, type Store, takeAlertPass } from "../store/mod.ts";
import type { Send } from "../upstreams/send.ts";
import { Deliveries, type DeliveryOutcome, type DeliveryTest, type Report } from "./deliveries.ts";
import { type AlertEventType, eventTypeOf } from "./event.ts";
import { lookAt, noteEverybody } from "./look.ts";
import { type NotedOwner, NotedOwners, type Spender } from "./noted_owners.ts";
import type { LookOptions } from "./raise.ts";
import { type DoubtedCall, doubtedCall, lookAtUsage } from "./usage_look.ts";

/** What alerts need of the world, and who hears of them. */
export interface AlertsOptions extends Omit<LookOptions, "store"> {
  /** Sends alerts to the webhook, if there is one. */
  readonly send: Send;
  readonly random: () => number;
  readonly report: Report;
  readonly onRaised?: (type: AlertEventType) => void;
  readonly onDelivery?: (outcome: DeliveryOutcome) => void;
  /** How long the webhook's receiver may take; 15 seconds where it is not stated. */
  readonly timeoutMs?: number;
  /** How often it is looked and sent; every five seconds where it is not stated. */
  readonly intervalMs?: number;
}

const intervalMs = 5_000;
/** How often everybody is looked at, noted or not. */
const passIntervalMs = 3_600_000;

/**
 * Raises alerts when budgets and balances run low, and sends them. Calls only note who spent; all
 * the rest is done by a timer beside them. Of any number of isolates and processes over one store,
 * one raises an alert and one at a time sends it.
 */
export class Alerts {
  readonly #store: Store;
  readonly #options: AlertsOptions;
  readonly #owners = new NotedOwners();
  /** The first doubted call of each upstream since the last look. */
  #doubted = new Map<string, DoubtedCall>();
  readonly #deliveries: Deliveries | undefined;
  readonly #stopping = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #looking: Promise<void> | undefined;
  #sending: Promise<void> | undefined;
  #started = false;

  /** Begins to look. The store must stay open until `close` has resolved. */
  static open(store: Store, options: AlertsOptions): Alerts {
    return new Alerts(store, options);
  }

  private constructor(store: Store, options: AlertsOptions) {
    const { settings: { webhook }, onDelivery = () => {} } = options;
    this.#store = store;
    this.#options = options;
    this.#deliveries = webhook && new Deliveries({ ...options, store, webhook, onDelivery });
    this.#timer = setInterval(() => void this.look(), options.intervalMs ?? intervalMs);
    Deno.unrefTimer(this.#timer);
  }

  /** Notes who paid for a call that has settled; never waits. */
  noteSpent(spender: Spender): void {
    this.#owners.noteSpent(spender, this.#options.now());
  }

  /** Notes for whose limit a call was refused; never waits. Only limits of money count. */
  noteRefused(spender: Spender, limit: Pick<LimitState, "kind" | "name">): void {
    if (limit.kind === "money") this.#owners.noteRefused(spender, limit, this.#options.now());
  }

  /** Notes a call whose upstream states a usage that cannot be true; never waits. */
  noteUsage(row: RequestLogRow): void {
    const call = doubtedCall(row);
    if (call && !this.#doubted.has(call.upstreamId)) this.#doubted.set(call.upstreamId, call);
  }

  /** Looks at those who were noted and sends what is due, as the timer does; never throws. */
  async look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => void (this.#looking = undefined));
    await this.#looking;
    this.#sending ??= this.#send().finally(() => void (this.#sending = undefined));
    await this.#sending;
  }

  /** Sends a test to the webhook and says what came of it; undefined where there is none. */
  async test(): Promise<DeliveryTest | undefined> {
    return await this.#deliveries?.test(this.#stopping.signal);
  }

  /** Looks a last time. What was not sent yet is sent by the next start or by another process. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await Promise.all([this.#looking, this.#sending]);
    await this.#lookOnce();
  }

  async #lookOnce(): Promise<void> {
    try {
      await this.#noteEverybodyInTurn();
    } catch (error) {
      this.#failed("Cannot look for budgets and balances that run low", error);
    }
    for (const noted of this.#owners.take()) await this.#lookAt(noted);
    const doubted = [...this.#doubted.values()];
    this.#doubted = new Map();
    for (const call of doubted) await this.#lookAtUsage(call);
  }

  async #lookAtUsage(call: DoubtedCall): Promise<void> {
    try {
      const raised = await lookAtUsage(call, { ...this.#options, store: this.#store });
      if (raised) this.#tell(raised);
    } catch (error) {
      this.#doubted.set(call.upstreamId, call);
      this.#failed("Cannot raise an alert about an upstream's usage", error);
    }
  }

  async #noteEverybodyInTurn(): Promise<void> {
    const nowMs = this.#options.now();
    const turn = { nowMs, intervalMs: passIntervalMs, atStart: !this.#started };
    const mine = await takeAlertPass(this.#store, turn);
    if (mine) await noteEverybody(this.#store, this.#owners, nowMs);
    this.#started = true;
  }

  async #lookAt(noted: NotedOwner): Promise<void> {
    try {
      const raised = await lookAt(noted, { ...this.#options, store: this.#store });
      for (const alert of raised) this.#tell(alert);
    } catch (error) {
      this.#owners.putBack(noted);
      this.#failed("Cannot look whether money runs low", error);
    }
  }

  #tell(alert: Alert): void {
    const { id, owner, ownerId } = alert;
    const type = eventTypeOf(alert);
    this.#options.onRaised?.(type);
    this.#options.report("warn", "Alert raised", { alertId: id, type, owner, ownerId });
  }

  async #send(): Promise<void> {
    try {
      await this.#deliveries?.sendDue(this.#stopping.signal);
    } catch (error) {
      this.#failed("Cannot send alerts", error);
    }
  }

  #failed(message: string, error: unknown): void {
    if (this.#store.closed) return;
    const cause = error instanceof Error ? error.message : String(error);
    this.#options.report("warn", message, { cause });
  }
}
