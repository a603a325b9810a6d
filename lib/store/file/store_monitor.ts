import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { storeFaultOf } from "./store_fault.ts";

interface MonitorOptions {
  /** Interval of probes. */
  readonly everyMs: number;
  /** Timeout of a probe, after which the store counts as unresponsive. */
  readonly timeoutMs: number;
}

/**
 * The size of a probe while the store is faulty: room for a few bytes does not suffice for calls.
 */
const roomBytes = 60 * 1024;

/**
 * Monitors a store: writes a small value at intervals, and compares the files on disk with the
 * opened ones. Reports to `store.health`.
 */
export class StoreMonitor {
  readonly #store: Store;
  readonly #options: MonitorOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #probing?: Promise<void>;
  #looking?: Promise<void>;

  constructor(store: Store, options: MonitorOptions) {
    this.#store = store;
    this.#options = options;
    this.#timer = setInterval(() => void this.probe(), options.everyMs);
    Deno.unrefTimer(this.#timer);
  }

  /** Runs one probe, shared by concurrent callers. Never rejects. */
  probe(): Promise<void> {
    return this.#probing ??= this.#inTime().finally(() => this.#probing = undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#probing;
  }

  /**
   * Reports a timeout if the probe takes too long. A write that hangs in a disk cannot be
   * cancelled.
   */
  async #inTime(): Promise<void> {
    const over = new AbortController();
    const looked = this.#looking ??= this.#look().finally(() => this.#looking = undefined);
    const isLate = await Promise.race([
      looked.then(() => false),
      hasPassed(this.#options.timeoutMs, over.signal),
    ]);
    over.abort();
    if (isLate) this.#store.health.report("silent");
  }

  async #look(): Promise<void> {
    const { health, file, kv } = this.#store;
    try {
      const fault = await file?.fault();
      if (fault) return health.report(fault);
      await kv.set(keys.probe, this.#value());
      if (health.pending === 0) health.recovered();
    } catch (error) {
      if (!this.#store.closed) health.report(storeFaultOf(error) ?? "silent");
    }
  }

  #value(): number | Uint8Array {
    return this.#store.health.fault === undefined ? Date.now() : new Uint8Array(roomBytes);
  }
}

/**
 * Splits the timeout into parts, and counts a pause of this isolate as one part: a busy isolate
 * cannot receive the store's answer.
 */
const timeoutParts = 10;

/**
 * Returns true once the time has passed, not counting pauses of this isolate; false if aborted
 * before.
 */
async function hasPassed(ms: number, over: AbortSignal): Promise<boolean> {
  for (let part = 0; part < timeoutParts && !over.aborted; part++) {
    await passing(ms / timeoutParts, over);
  }
  return !over.aborted;
}

function passing(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      over.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    over.addEventListener("abort", end);
  });
}
