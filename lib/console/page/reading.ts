import { HttpError } from "fresh";
import type { AdminServices } from "../../admin/services.ts";
import type { Store } from "../../store/mod.ts";

/** Makes the function that reads the record of an address. It throws `HttpError` 404 for an unknown id. */
export function recordAt<Value>(get: (store: Store, id: string) => Promise<Value | undefined>) {
  return async (
    id: string,
    { services: { store } }: { readonly services: Pick<AdminServices, "store"> },
  ): Promise<Value> => {
    const record = id.length <= 100 ? await get(store, id) : undefined;
    if (record === undefined) throw new HttpError(404);
    return record;
  };
}

/**
 * Returns the value, or undefined if reading it fails, so that only one panel of the page reports
 * the failure. Logs the failure.
 */
export async function tryLoad<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    console.error("Console: cannot read from the store", error);
    return undefined;
  }
}

interface Kept<Value> {
  readonly value: Value;
  readonly version: string;
  readonly readAtMs: number;
}

/** A value that takes long to read. */
interface SlowRead<Value> {
  /** A change of it makes readers wait for the new value. */
  readonly version: string;
  readonly nowMs: number;
  readonly read: () => Promise<Value>;
}

/** The age from which a kept value is read again, in the background. */
const freshMs = 5_000;
/** The age from which a reader waits for the new value. */
const keptMs = 60_000;

/**
 * Keeps a large value in memory: what changes without its version is at most a minute old. Values
 * that `isLarge` refuses are read each time.
 */
export class KeptRead<Owner extends object, Value> {
  readonly #kept = new WeakMap<Owner, Kept<Value>>();
  readonly #isLarge: (value: Value) => boolean;

  constructor(isLarge: (value: Value) => boolean) {
    this.#isLarge = isLarge;
  }

  async get(owner: Owner, slow: SlowRead<Value>): Promise<Value> {
    const kept = this.#kept.get(owner);
    const ageMs = kept?.version === slow.version ? slow.nowMs - kept.readAtMs : Infinity;
    if (kept === undefined || ageMs > keptMs) return await this.#read(owner, slow);
    if (ageMs >= freshMs) {
      this.#kept.set(owner, { ...kept, readAtMs: slow.nowMs }); // one reader reads it again
      this.#read(owner, slow).catch(() => {});
    }
    return kept.value;
  }

  async #read(owner: Owner, { version, nowMs, read }: SlowRead<Value>): Promise<Value> {
    const value = await read();
    if (this.#isLarge(value)) this.#kept.set(owner, { value, version, readAtMs: nowMs });
    return value;
  }
}
