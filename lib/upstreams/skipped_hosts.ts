import { BoundedMap } from "../bounded_map.ts";

/** After this time the first client is tried again. */
const skippedMs = 10 * 60_000;
/** The most remembered hosts. */
const hostsMax = 1_000;

/** Remembers for ten minutes that a client cannot call a host, so that another one calls it at once. */
export class SkippedHosts {
  readonly #until = new BoundedMap<string, number>(hostsMax);

  add(host: string): void {
    this.#until.set(host, performance.now() + skippedMs);
  }

  has(host: string): boolean {
    return (this.#until.get(host) ?? 0) > performance.now();
  }
}
