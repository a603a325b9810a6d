import type { Activity } from "../activity.ts";
import { limitName, type LimitState } from "../canonical/mod.ts";
import { type Alert, type BalanceAlert, changeMark, readBalanceMark } from "../store/alerts/mod.ts";
import {
  type ComposeMail,
  MailPost,
  type MailPostOptions,
  type MailReader,
  type MailTest,
} from "../mail/mod.ts";
import type { MailServer } from "../store/mail/mod.ts";
import { takePass } from "../store/isolates/mod.ts";
import type { RequestLogRow, Spender } from "../store/log/mod.ts";
import type { Store } from "../store/mod.ts";
import { getBalance, walletId } from "../store/money/mod.ts";
import type { WebhookEndpoint } from "../store/webhooks/mod.ts";
import { reasonOf, type Report } from "../telemetry/log.ts";
import { type AddressRule, type Send } from "../upstreams/mod.ts";
import {
  type AlertEventType,
  type DeliveryOutcome,
  type DeliveryTest,
  eventTypeOf,
  Webhooks,
} from "../webhooks/mod.ts";
import { checkBudget } from "./budget_check.ts";
import { type NotedOwner, NotedOwners } from "./noted_owners.ts";
import {
  alertAbout,
  type CheckedOwner,
  type CheckOptions,
  type Raised,
  raiseOnce,
  readOwner,
} from "./owner.ts";
import { balanceStep } from "./threshold.ts";
import { checkUnreadCaches, UnreadCacheWatch } from "./unread_caches.ts";
import { postWeeklyReport } from "./weekly_report.ts";
import { checkUsage, type DoubtedCall, doubtedCall } from "./usage_check.ts";

/** Checks the budgets and the prepaid balance of one owner, and raises new alerts. */
async function checkOwner(noted: NotedOwner, options: CheckOptions): Promise<Alert[]> {
  const owned = await readOwner(options.store, noted.owner, noted.id);
  if (!owned) return [];
  const checked = { noted, owned };
  const raised = [];
  for (const budget of owned.budgets) raised.push(await checkBudget(checked, budget, options));
  if (owned.prepaid) raised.push(await raiseOnce(() => checkBalance(checked, options)));
  return raised.filter((alert) => alert !== undefined);
}

async function checkBalance(
  checked: CheckedOwner,
  options: CheckOptions,
): Promise<Raised | undefined> {
  const { store, settings: { lowBalanceNanoUsd: lowNanoUsd }, now } = options;
  const { id, refusals } = checked.noted;
  const read = await readBalanceMark(store, walletId(id));
  const { balanceNanoUsd, fundedNanoUsd, spentNanoUsd } = await getBalance(store, id);
  const refused = refusals.has(limitName("account", "balance"));
  const step = balanceStep({ fundedNanoUsd, spentNanoUsd, refused }, read.mark, lowNanoUsd);
  if (!step) return { raised: undefined };
  const raised: BalanceAlert | undefined = step.tell && {
    ...alertAbout(checked.noted, checked.owned, options),
    type: "balance",
    allowanceId: walletId(id),
    refused: step.tell.refused,
    lowNanoUsd,
    balanceNanoUsd,
  };
  const change = { mark: step.mark, alert: raised, nowMs: now() };
  return await changeMark(store, read, change) ? { raised } : undefined;
}

/** The dependencies of alerts, and the callbacks that observe them. */
export interface AlertsOptions extends Omit<CheckOptions, "store"> {
  /** Sends events to their receivers. */
  readonly send: Send;
  /** The mail server of the configuration. */
  readonly email?: MailServer;
  /** The networks in which a mail server of the console may be. */
  readonly addresses?: AddressRule;
  /** Writes mails; without it, none are sent. */
  readonly composeMail?: ComposeMail;
  /** The origin of links to the console. */
  readonly publicUrl?: string;
  readonly random: () => number;
  readonly report: Report;
  /** Without requests, nothing is checked. */
  readonly activity: Activity;
  readonly onRaised?: (type: AlertEventType) => void;
  readonly onDelivery?: (outcome: DeliveryOutcome) => void;
  /** Timeout of one delivery; 15 seconds by default. */
  readonly timeoutMs?: number;
  /** Interval of checks and deliveries; five seconds by default. */
  readonly intervalMs?: number;
}

const intervalMs = 5_000;
const usualTimeoutMs = 15_000;
/** The longest time of a mail's steps together, in timeouts: below the lifetime of a claim. */
const mailTimeouts = 2;

function postOf(
  store: Store,
  options: AlertsOptions,
  sending: Pick<MailPostOptions, "timeoutMs" | "onQueued">,
): MailPost | undefined {
  const { email: configured, addresses, composeMail: compose, now } = options;
  const rule = addresses ?? { allowsPrivate: false, allowsLoopback: false };
  return compose && new MailPost({ store, configured, rule, compose, now, ...sending });
}

/** Interval of the checks of everyone, noted or not. */
const passIntervalMs = 3_600_000;

/**
 * Raises alerts when budgets and balances run low, and runs the webhooks that send them and other
 * events. Calls only note what happened; a timer does the rest in the background. Of all isolates
 * and processes that share a store, exactly one raises an alert, and one at a time sends it.
 */
export class Alerts {
  readonly #store: Store;
  readonly #options: AlertsOptions;
  readonly #owners = new NotedOwners();
  /** The first call with implausible usage of each upstream since the last check. */
  #doubted = new Map<string, DoubtedCall>();
  readonly #caches = new UnreadCacheWatch();
  readonly webhooks: Webhooks;
  /** Sends mails; absent without the console's texts. */
  readonly mail?: MailPost;
  readonly #stopping = new AbortController();
  readonly #stopTimer: () => void;
  #checking: Promise<void> | undefined;
  readonly #sending = new Set<Promise<void>>();
  #started = false;

  /** Starts the timer. The store must stay open until `close` has resolved. */
  static open(store: Store, options: AlertsOptions): Alerts {
    return new Alerts(store, options);
  }

  private constructor(store: Store, options: AlertsOptions) {
    const { settings: { webhook }, onDelivery = () => {} } = options;
    this.#store = store;
    this.#options = options;
    const timeoutMs = options.timeoutMs ?? usualTimeoutMs;
    this.mail = postOf(store, options, {
      timeoutMs: mailTimeouts * timeoutMs,
      onQueued: () => void this.check(),
    });
    this.webhooks = new Webhooks({
      ...{ ...options, store, configured: webhook, timeoutMs, onDelivery },
      ...(this.mail && { mail: this.mail }),
    });
    const everyMs = options.intervalMs ?? intervalMs;
    const canRetry = () => this.webhooks.isWaiting; // another isolate may have left an event
    this.#stopTimer = options.activity.every(everyMs, () => void this.check(), canRetry);
  }

  /** Notes the owners of a settled call; never waits. */
  noteSpent(spender: Spender): void {
    this.#options.activity.note(); // a background response ends without a request
    this.#owners.noteSpent(spender, this.#options.now());
  }

  /** Notes a refused call, and its owners if the limit is money; never waits. */
  noteRefused(spender: Spender, limit: Pick<LimitState, "kind" | "name" | "ownerId">): void {
    this.webhooks.noteRefused(spender, limit);
    if (limit.kind === "money") this.#owners.noteRefused(spender, limit, this.#options.now());
  }

  /** Notes a call that failed, wrote a cache, or whose upstream's usage is implausible; never waits. */
  noteCall(row: RequestLogRow): void {
    this.webhooks.noteCall(row);
    this.#caches.note(row);
    const call = doubtedCall(row);
    if (call && !this.#doubted.has(call.upstreamId)) this.#doubted.set(call.upstreamId, call);
  }

  /** Checks the noted owners and sends due events, as the timer does; never throws. */
  async check(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#checking ??= this.#checkOnce().finally(() => void (this.#checking = undefined));
    await this.#checking;
    const sending = this.#send(); // a slow receiver delays no later check
    this.#sending.add(sending);
    await sending;
    this.#sending.delete(sending);
  }

  /** Sends a test to an endpoint; without one, to the configuration's webhook if it is set. */
  async test(endpoint?: WebhookEndpoint): Promise<DeliveryTest | undefined> {
    const { signal } = this.#stopping;
    return endpoint
      ? await this.webhooks.test(endpoint, signal)
      : await this.webhooks.testConfigured(signal);
  }

  /** Sends a test mail at once; undefined if no server is set up. */
  async testMail(reader: MailReader): Promise<MailTest | undefined> {
    return await this.mail?.test(reader, this.#stopping.signal);
  }

  /** Checks a last time. Unsent events are sent after the next start, or by another process. */
  async close(): Promise<void> {
    this.#stopTimer();
    this.#stopping.abort();
    await Promise.all([this.#checking, ...this.#sending]);
    await this.#checkOnce();
  }

  async #checkOnce(): Promise<void> {
    try {
      await this.#noteEveryoneInTurn();
    } catch (error) {
      this.#failed("Cannot check for low budgets and balances", error);
    }
    for (const noted of this.#owners.take()) {
      await this.#raise((options) => checkOwner(noted, options), {
        putBack: () => this.#owners.putBack(noted),
        failure: "Cannot check the budgets and the balance of an owner",
      });
    }
    const doubted = [...this.#doubted.values()];
    this.#doubted = new Map();
    for (const call of doubted) {
      await this.#raise((options) => checkUsage(call, options), {
        putBack: () => this.#doubted.set(call.upstreamId, call),
        failure: "Cannot raise an alert about an upstream's usage",
      });
    }
    for (const unread of this.#caches.take()) {
      await this.#raise((options) => checkUnreadCaches(unread, options), {
        putBack: () => this.#caches.putBack(unread),
        failure: "Cannot raise an alert about caches that no call reads",
      });
    }
    try {
      await this.webhooks.address();
    } catch (error) {
      this.#failed("Cannot address events to webhooks", error);
    }
  }

  /** Raises the alerts of one check; if it fails, it is put back for the next time. */
  async #raise(
    check: (options: CheckOptions) => Promise<Alert | undefined | Alert[]>,
    { putBack, failure }: { readonly putBack: () => void; readonly failure: string },
  ): Promise<void> {
    try {
      const raised = [await check({ ...this.#options, store: this.#store })].flat();
      for (const alert of raised) if (alert) this.#tell(alert);
    } catch (error) {
      putBack();
      this.#failed(failure, error);
    }
  }

  async #noteEveryoneInTurn(): Promise<void> {
    const nowMs = this.#options.now();
    const turn = { nowMs, intervalMs: passIntervalMs, atStart: !this.#started };
    const isMine = await takePass(this.#store, "alerts", turn) !== undefined;
    this.#started = true;
    if (!isMine) return;
    await this.#owners.noteEveryone(this.#store, nowMs);
    await this.webhooks.hourly();
    if (await this.webhooks.isWanted("report.weekly")) {
      await postWeeklyReport({ ...this.#options, store: this.#store });
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
      await this.webhooks.send(this.#stopping.signal);
    } catch (error) {
      this.#failed("Cannot send events", error);
    }
  }

  #failed(message: string, error: unknown): void {
    if (this.#store.closed) return;
    this.#options.report("warn", message, { cause: reasonOf(error) });
  }
}
