import { BoundedMap } from "../bounded_map.ts";

const skippedMs = 10 * 60_000;
/** The most remembered hosts. */
const hostsMax = 1_000;

/** Hosts that a client cannot call: another one calls them for ten minutes. */
export class SkippedHosts {
  readonly #until = new BoundedMap<string, number>(hostsMax);

  add(host: string): void {
    this.#until.set(host, performance.now() + skippedMs);
  }

  has(host: string): boolean {
    return this.#until.size > 0 && (this.#until.get(host) ?? 0) > performance.now();
  }
}

/**
 * True if an upstream refused HTTP/1.1 in the TLS handshake, so that nothing was sent. The message
 * quotes the URL, which cannot have these words: it has no spaces.
 */
export function isHttp2Only(error: unknown): boolean {
  return error instanceof Error &&
    error.message.includes("received fatal alert: NoApplicationProtocol");
}
