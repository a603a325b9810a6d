import { storeFaultOf } from "./store_fault.ts";
import type { StoreHealth } from "./store_health.ts";

const firstAfterMs = 10_000;

/**
 * Periodically reads the whole file of a local store, in a worker, to find damage before a call
 * does.
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

  close(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#begin(), ms);
    Deno.unrefTimer(this.#timer);
  }

  #begin(): void {
    const worker = new Worker(new URL("./quick_check_worker.ts", import.meta.url), {
      type: "module",
    });
    this.#worker = worker;
    const end = (isDamaged: boolean) => {
      if (isDamaged) this.#health.report("corrupted");
      worker.terminate();
      this.#worker = undefined;
      this.#wait(this.#everyMs);
    };
    worker.onmessage = ({ data }: MessageEvent<boolean>) => end(!data);
    worker.onerror = (event) => {
      event.preventDefault(); // a probe will find any other error
      end(storeFaultOf(new Error(event.message)) === "corrupted");
    };
    worker.postMessage(this.#path);
  }
}
