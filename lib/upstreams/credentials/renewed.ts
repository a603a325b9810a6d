/** A value that ends at a time, in epoch milliseconds. */
export interface Expiring<Value> {
  readonly value: Value;
  readonly endsAtMs: number;
}

/** A value is renewed this long before its end, or at half of its time if that is later. */
const renewBeforeMs = 5 * 60_000;
/** The shortest life of a value: a clock or a service that is wrong must not cause a request for each call. */
const leastMs = 60_000;
/** The longest: an end in another age may be a mistake, too. */
const mostMs = 86_400_000;
/** After a failed renewal, the value that has not ended yet is used this long before the next one. */
const retryMs = 30_000;

/**
 * A value that ends, such as a token. One request at a time renews it: in the background as long as
 * it has not ended. A failure reaches callers only once it has.
 */
export class Renewed<Value> {
  readonly #make: () => Promise<Expiring<Value>>;
  readonly #now: () => number;
  #current?: Expiring<Value> | undefined;
  #renewAtMs = 0;
  #making?: Promise<Expiring<Value>> | undefined;

  /** `now` returns epoch milliseconds. */
  constructor(make: () => Promise<Expiring<Value>>, now: () => number) {
    this.#make = make;
    this.#now = now;
  }

  /** The value with its end. Rejects like `make` if there is none. */
  async get(): Promise<Expiring<Value>> {
    const current = this.#current;
    const nowMs = this.#now();
    if (current === undefined || nowMs >= current.endsAtMs) return await this.#renew();
    if (nowMs >= this.#renewAtMs) this.#renew().catch(() => {}); // the next call retries
    return current;
  }

  /** Forgets a value that was refused before its end. False if it has been replaced already. */
  refuse(value: Value): boolean {
    if (this.#current?.value !== value) return false;
    this.clear();
    return true;
  }

  clear(): void {
    this.#current = undefined;
  }

  #renew(): Promise<Expiring<Value>> {
    return this.#making ??= this.#made().finally(() => this.#making = undefined);
  }

  async #made(): Promise<Expiring<Value>> {
    this.#renewAtMs = this.#now() + retryMs;
    const { value, endsAtMs: saidMs } = await this.#make();
    const nowMs = this.#now();
    const lifeMs = Math.min(Math.max(saidMs - nowMs, leastMs), mostMs);
    const endsAtMs = nowMs + lifeMs;
    this.#renewAtMs = endsAtMs - Math.min(renewBeforeMs, lifeMs / 2);
    return this.#current = { value, endsAtMs };
  }
}
