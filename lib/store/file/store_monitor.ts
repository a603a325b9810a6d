import type { Activity } from "../../activity.ts";
import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { storeFaultOf } from "./store_fault.ts";

interface MonitorOptions {
  /** Interval of probes. */
  readonly everyMs: number;
  /** Timeout of a probe, after which the store counts as unresponsive. */
  readonly timeoutMs: number;
  /** Without requests, a healthy store is not probed. */
  readonly activity: Activity;
}

/**
 * The size of a probe while the store is faulty: room for a few bytes does not suffice for calls.
 */
const roomBytes = 60 * 1024;

/** Time that a readiness check waits for a probe; orchestrators often allow two seconds. */
const readyWaitMs = 1_500;
/** A response of the store is proof of readiness for so long: checks must not load the store. */
const readyForMs = 500;

/**
 * Monitors a store: writes a small value at intervals, and compares the files on disk with the
 * opened ones. Reports to `store.health`. Pauses while there are no requests and no fault; a
 * fault that an operation reports meanwhile ends the pause.
 */
export class StoreMonitor {
  readonly #store: Store;
  readonly #options: MonitorOptions;
  readonly #stop: () => void;
  readonly #stopListening: () => void;
  #probing?: Promise<void>;
  #looking?: Promise<void>;
  #answeredAtMs = -Infinity;

  constructor(store: Store, options: MonitorOptions) {
    this.#store = store;
    this.#options = options;
    const isFaulty = () => store.health.fault !== undefined;
    const { activity, everyMs } = options;
    this.#stop = activity.every(everyMs, () => void this.probe(), isFaulty);
    this.#stopListening = store.health.onChange(({ fault }) => {
      if (fault !== undefined) activity.note();
    });
  }

  /** Runs one probe, shared by concurrent callers. Never rejects. */
  probe(): Promise<void> {
    return this.#probing ??= this.#inTime().finally(() => this.#probing = undefined);
  }

  /** Returns true if the store is healthy and answers a probe within two seconds. */
  async isReady(): Promise<boolean> {
    const { health } = this.#store;
    if (health.fault !== undefined) return false;
    if (performance.now() - this.#answeredAtMs < readyForMs) return true;
    return await isInTime(this.probe(), readyWaitMs) && health.fault === undefined;
  }

  /** Probes a faulty store once more: it may be back, and then the last calls can be recorded. */
  async close(): Promise<void> {
    this.#stop();
    this.#stopListening();
    await this.#probing;
    if (this.#store.health.fault !== undefined) await this.probe();
  }

  /** Reports a timeout if the probe takes too long. */
  async #inTime(): Promise<void> {
    const looked = this.#looking ??= this.#look().finally(() => this.#looking = undefined);
    if (!await isInTime(looked, this.#options.timeoutMs)) this.#store.health.report("silent");
  }

  async #look(): Promise<void> {
    const { health, file } = this.#store;
    try {
      const fault = file?.fault();
      if (fault) return health.report(fault);
      await this.#write();
      this.#answeredAtMs = performance.now();
      // a response disproves silence; room for waiting calls is proven by their own writes only
      if (health.pending === 0 || health.fault === "silent") health.recovered();
    } catch (error) {
      if (!this.#store.closed) health.report(storeFaultOf(error) ?? "silent");
    }
  }

  async #write(): Promise<void> {
    const { kv, remote } = this.#store;
    if (remote) await remote.probe(keys.probe, this.#value());
    else await kv.set(keys.probe, this.#value());
  }

  #value(): Uint8Array {
    return new Uint8Array(this.#store.health.fault === undefined ? 1 : roomBytes);
  }
}

/**
 * Splits the timeout into parts, and counts a pause of this isolate as one part: a busy isolate
 * cannot receive the store's answer.
 */
const timeoutParts = 10;

/** Returns false if a step takes longer than `ms`. A step that hangs cannot be cancelled. */
async function isInTime(step: Promise<void>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const isLate = await Promise.race([step.then(() => false), hasPassed(ms, over.signal)]);
  over.abort();
  return !isLate;
}

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
