import type { QuickCheckResult } from "./quick_check.ts";
import { storeFaultOf } from "./store_fault.ts";
import type { StoreHealth } from "./store_health.ts";

const firstAfterMs = 10_000;

/**
 * Periodically reads the whole file of a local store, in a worker, to find damage before a call
 * does. Keeps the worker: the runtime ends the process if one starts without free file descriptors.
 */
export class FileCheck {
  readonly #path: string;
  readonly #health: StoreHealth;
  readonly #everyMs: number;
  #timer?: ReturnType<typeof setTimeout>;
  #worker?: Worker;

  constructor(path: string, health: StoreHealth, everyMs: number) {
    this.#path = path;
    this.#health = health;
    this.#everyMs = everyMs;
    this.#wait(Math.min(everyMs, firstAfterMs));
  }

  /** Starts the worker, if it does not run yet. */
  start(): Worker {
    return this.#worker ??= this.#started();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.start().postMessage(this.#path), ms);
    Deno.unrefTimer(this.#timer);
  }

  #started(): Worker {
    const worker = new Worker(new URL("./quick_check_worker.ts", import.meta.url), {
      type: "module",
    });
    worker.onmessage = ({ data }: MessageEvent<QuickCheckResult>) => this.#end(data);
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      this.#worker = undefined;
      this.#end({ failure: event.message });
    };
    return worker;
  }

  #end({ isSound, failure }: QuickCheckResult): void {
    // a probe will find any other failure
    const isDamaged = isSound === false || storeFaultOf(new Error(failure)) === "corrupted";
    if (isDamaged) this.#health.report("corrupted");
    this.#wait(this.#everyMs);
  }
}
