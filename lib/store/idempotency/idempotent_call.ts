import { Serial } from "../../serial.ts";
import { keys } from "../keys.ts";
import {
  type ChunkedText,
  chunkValue,
  readChunkedValue,
  referenceTo,
  writeChunks,
} from "../kv/chunked_text.ts";
import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";
import type { RequestLogRow } from "../log/request_log_row.ts";

/** The identity of a call with an idempotency key. */
export interface IdempotencyMark {
  readonly accountId: string;
  /** The digest of the idempotency key. */
  readonly keyDigest: string;
  /** The digest of address and body. */
  readonly requestDigest: string;
}

/** The first call with an idempotency key. */
interface IdempotentCall {
  readonly requestDigest: string;
  readonly requestId: string;
  /** The start of the process that runs it. */
  readonly runId: string;
  /** While it runs: the time until which no other call takes its place. */
  readonly aliveUntilMs: number;
  readonly expiresAtMs: number;
  /** Its answer, written before its charge; absent for one that is not stored. */
  readonly answer?: ChunkedText;
  /** Present once it is charged; its model is the one that the caller stated. */
  readonly end?: Pick<RequestLogRow, "model" | "stream" | "costNanoUsd">;
}

/** A first call that is charged, so that every repetition gets its answer. */
export type EndedIdempotentCall = IdempotentCall & Required<Pick<IdempotentCall, "end">>;

type Claimed =
  | { readonly type: "claimed"; readonly claim: CallClaim }
  | { readonly type: "running" }
  | { readonly type: "ended"; readonly call: EndedIdempotentCall }
  | { readonly type: "other_request"; readonly requestId: string };

const keptMs = 24 * 60 * 60 * 1_000;
/** Longer than a sweep of a silent isolate takes: the owner of a claim that ends can no longer charge. */
const aliveMs = 60_000;

/**
 * Claims an idempotency key for a call. Of concurrent calls, one gets `claimed`. A call whose process
 * died before it was charged leaves its place to the next one.
 */
export async function claimCall(
  store: Store,
  { accountId, keyDigest, requestDigest }: IdempotencyMark,
  { requestId, now }: { readonly requestId: string; readonly now: () => number },
): Promise<Claimed> {
  const key = keys.idempotentCall(accountId, keyDigest);
  for (;;) {
    const entry = await store.kv.get<IdempotentCall>(key);
    const { value: known } = entry;
    const nowMs = now();
    if (known !== null && isInForce(store, known, nowMs)) {
      const { requestId } = known;
      if (known.requestDigest !== requestDigest) return { type: "other_request", requestId };
      return known.end
        ? { type: "ended", call: { ...known, end: known.end } }
        : { type: "running" };
    }
    const times = { aliveUntilMs: nowMs + aliveMs, expiresAtMs: nowMs + keptMs };
    const call = { requestDigest, requestId, runId: store.runId, ...times };
    const { ok, versionstamp } = await written(store.kv.atomic().check(entry), key, call);
    if (ok) {
      return { type: "claimed", claim: new CallClaim(store, { key, call, versionstamp, now }) };
    }
  }
}

function isInForce(store: Store, call: IdempotentCall, nowMs: number): boolean {
  if (call.end) return call.expiresAtMs > nowMs;
  return call.aliveUntilMs > nowMs && (store.sharedByProcesses || call.runId === store.runId);
}

async function written(
  operation: AtomicOperation,
  key: Deno.KvKey,
  call: IdempotentCall,
): Promise<{ readonly ok: boolean; readonly versionstamp: string }> {
  const committed = await operation.set(key, call, { expireIn: keptMs }).commit();
  return { ok: committed.ok, versionstamp: committed.ok ? committed.versionstamp : "" };
}

interface ClaimParts {
  readonly key: Deno.KvKey;
  call: IdempotentCall;
  versionstamp: string;
  readonly now: () => number;
}

/** The right of a call to run under its idempotency key. */
export class CallClaim {
  readonly #store: Store;
  readonly #parts: ClaimParts;
  readonly #serial = new Serial();
  /** True once its charge does not end it: it has ended, or another call has taken its place. */
  #isOver = false;

  constructor(store: Store, parts: ClaimParts) {
    this.#store = store;
    this.#parts = parts;
  }

  /** Renews the claim for `aliveMs`. Returns false if another call has taken the place of this one. */
  renew(): Promise<boolean> {
    return this.#serial.run(() => this.#write({}, this.#store.kv.atomic()));
  }

  /** Stores the answer, sealed, and renews the claim. Returns false like `renew`. */
  async keepAnswer(answer: object): Promise<boolean> {
    const text = chunkValue(`idempotent_${this.#parts.call.requestId}`, answer);
    const operation = await writeChunks(this.#store, text, { expireIn: keptMs });
    return await this.#serial.run(() => this.#write({ answer: referenceTo(text) }, operation));
  }

  /** Stores the answer of a call that is charged later, as one whose answer is complete. */
  async endWith(answer: object, end: Pick<RequestLogRow, "model" | "stream">): Promise<boolean> {
    const isEnded = await this.keepAnswer(answer) &&
      await this.#serial.run(() => this.#write({ end }, this.#store.kv.atomic()));
    if (isEnded) this.#isOver = true;
    return isEnded;
  }

  /**
   * Adds the end of the call to the commit that charges it. One that failed without a charge leaves
   * its key to the next call.
   */
  end(
    operation: AtomicOperation,
    { outcome, chain, model, stream, costNanoUsd = 0n }: RequestLogRow,
  ): void {
    if (this.#isOver) return;
    const { key, call } = this.#parts;
    if (outcome !== "completed" && costNanoUsd === 0n) return void operation.delete(key);
    const end = { model: chain?.name ?? model, stream, costNanoUsd };
    operation.set(key, { ...call, end }, { expireIn: keptMs });
  }

  /** Leaves the key to the next call, unless this one has ended. */
  release(): Promise<void> {
    return this.#serial.run(async () => {
      const { key, versionstamp } = this.#parts;
      await this.#store.kv.atomic().check({ key, versionstamp }).delete(key).commit();
    });
  }

  async #write(change: Partial<IdempotentCall>, operation: AtomicOperation): Promise<boolean> {
    const { key, versionstamp, now } = this.#parts;
    const call = { ...this.#parts.call, ...change, aliveUntilMs: now() + aliveMs };
    const { ok, ...next } = await written(operation.check({ key, versionstamp }), key, call);
    if (ok) Object.assign(this.#parts, next, { call });
    else this.#isOver = true;
    return ok;
  }
}

/** Reads what `keepAnswer` stored; undefined for a call without a stored answer. */
export async function readKeptAnswer(
  store: Store,
  { answer }: EndedIdempotentCall,
): Promise<unknown> {
  return answer && await readChunkedValue(store, answer);
}

/** The number and the size of the answers that are stored for an account; reads `limit` at most. */
export async function idempotencyUseOf(
  store: Store,
  accountId: string,
  limit: number,
): Promise<{ answers: number; bytes: number }> {
  const use = { answers: 0, bytes: 0 };
  const prefix = keys.idempotentCallsOf(accountId);
  const calls = store.kv.list<IdempotentCall>({ prefix }, { limit, batchSize: 500 });
  for await (const { value } of calls) {
    use.answers++;
    use.bytes += value.answer?.bytes ?? 0;
  }
  return use;
}
