import type { Activity } from "../activity.ts";
import { GatewayError } from "../canonical/mod.ts";
import type { PriceFeedSettings } from "../config.ts";
import { type PriceFeed, writePriceFeed } from "../store/catalog/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import { takePass } from "../store/isolates/mod.ts";
import type { Store } from "../store/mod.ts";
import { reasonOf, type Report } from "../telemetry/log.ts";
import { fetchText, type Send } from "../upstreams/mod.ts";
import { feedChanges } from "./feed_changes.ts";
import { raiseRetirements } from "./retirement_alerts.ts";

interface PriceRefreshOptions {
  readonly settings: PriceFeedSettings;
  readonly send: Send;
  readonly activity: Activity;
  readonly report: Report;
  readonly now: () => number;
  /** Retention of alerts. */
  readonly retentionMs: number;
  /** Called with each alert about a model that ends. */
  readonly onAlert?: () => void;
  /** The interval at which the daily pass is due or not; an hour by default. */
  readonly checkMs?: number;
}

/** Several times the size of LiteLLM's file. */
const bytesMax = 16 * 1024 * 1024;
const timeoutMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** The feed could not be fetched or read. The message says why. */
export class PriceFeedError extends Error {}

/**
 * Fetches the feed of prices, on request or daily, and keeps what it says about the models in use.
 * It changes no price. Once a day it also raises alerts about models that are shut down soon.
 */
export class PriceRefresh {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #options: PriceRefreshOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #stopTimer: () => void = () => {};

  constructor(store: Store, directory: Directory, options: PriceRefreshOptions) {
    this.#store = store;
    this.#directory = directory;
    this.#options = options;
  }

  start(): void {
    const { activity, checkMs = hourMs } = this.#options;
    this.#stopTimer = activity.every(checkMs, () => {
      this.#running = this.#running.then(() => this.#pass());
    });
  }

  async close(): Promise<void> {
    this.#stopTimer();
    this.#stopping.abort();
    await this.#running;
  }

  /** Throws `PriceFeedError`; then the last feed stays. */
  async refresh(): Promise<PriceFeed> {
    const feed = await this.#fetched();
    await writePriceFeed(this.#store, feed);
    await this.#directory.refresh();
    return feed;
  }

  async #fetched(): Promise<PriceFeed> {
    const { settings: { url }, send, now } = this.#options;
    const limits = { bytesMax, timeoutMs };
    try {
      const text = await fetchText(url, limits, { send, signal: this.#stopping.signal });
      const [directory, nowMs] = [this.#directory, now()];
      const known = { directory, former: directory.priceFeed(), nowMs };
      return { url, fetchedAtMs: nowMs, models: feedChanges(JSON.parse(text), known) };
    } catch (error) {
      if (error instanceof SyntaxError) throw new PriceFeedError(`${url} is no JSON`);
      if (!(error instanceof RangeError || error instanceof GatewayError)) throw error;
      throw new PriceFeedError(`${url}: ${error.message}`);
    }
  }

  /** One isolate takes the day's pass for all of them. Never throws. */
  async #pass(): Promise<void> {
    const { settings: { daily }, now, report } = this.#options;
    try {
      const turn = { nowMs: now(), intervalMs: dayMs, atStart: false };
      if (await takePass(this.#store, "prices", turn) === undefined) return;
      if (daily) await this.refresh();
      await raiseRetirements(this.#store, this.#directory, this.#options);
    } catch (error) {
      if (this.#store.closed) return;
      report("warn", "Cannot refresh the prices", { cause: reasonOf(error) });
    }
  }
}
