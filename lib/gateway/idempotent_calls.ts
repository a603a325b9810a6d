import { BoundedMap } from "../bounded_map.ts";
import { callerLeft } from "../canonical/mod.ts";
import type { Limits } from "../config.ts";
import type { Call } from "../http/call.ts";
import { gatewayErrorOf } from "../http/errors.ts";
import {
  type CallClaim,
  claimCall,
  type EndedIdempotentCall,
  idempotencyUseOf,
  readKeptAnswer,
} from "../store/idempotency/mod.ts";
import { pause, type Store } from "../store/mod.ts";
import { type CallContext, callContextOf, type CallRecord } from "./call_context.ts";
import type { GatewayDeps } from "./dependencies.ts";
import { keyReused, notStored, stillRunning } from "./idempotency_errors.ts";
import type { KeptAnswer } from "./recorded_answer.ts";
import { detachedCall, readRepeatable, type RepeatableRequest } from "./repeatable_request.ts";
import { replayKept, replayRunning } from "./replayed_answer.ts";
import { RunningCall } from "./running_call.ts";
import { refusalResponse } from "./settle.ts";
import { assertMayUse } from "./stages.ts";

/** Sends a call through the gateway; never rejects. */
type Perform = (call: Call, gateway: GatewayDeps) => Promise<Response>;

type IdempotencyLimits = Pick<
  Limits,
  "idempotentAnswerBytesMax" | "idempotentAnswersMax" | "idempotentBytesMax" | "idempotentWaitMs"
>;

/** The use of an account is read again after so long; until then, this isolate adds its own calls. */
const useKnownMs = 600_000;
const accountsMax = 10_000;
const [pauseMsMin, pauseMsMax] = [20, 500];

/**
 * Answers calls with an idempotency key: the first one with a key runs, and a repetition with the
 * same body within 24 hours gets its answer without a charge, also while it runs and after a restart.
 */
export class IdempotentCalls {
  readonly #store: Store;
  readonly #limits: IdempotencyLimits;
  readonly #now: () => number;
  readonly #running = new Map<string, RunningCall>();
  readonly #uses = new BoundedMap<string, Use>(accountsMax);

  constructor(store: Store, limits: IdempotencyLimits, now: () => number) {
    this.#store = store;
    this.#limits = limits;
    this.#now = now;
  }

  /** Answers a call with this key; `perform` runs it if it is the first. */
  async answer(
    key: string,
    { call: arrived, gateway, perform }: {
      readonly call: Call;
      readonly gateway: GatewayDeps;
      readonly perform: Perform;
    },
  ): Promise<Response> {
    const context = callContextOf(arrived, gateway);
    try {
      const asked = await readRepeatable(key, context);
      return await this.#joined(asked, context) ??
        await this.#answerStored(asked, context, perform);
    } catch (thrown) {
      return await refusalResponse(gatewayErrorOf(thrown), context);
    }
  }

  /** The answer of a call that runs in this isolate; undefined if there is none, or it has failed. */
  async #joined(asked: RepeatableRequest, context: CallContext): Promise<Response | undefined> {
    const running = this.#running.get(nameOf(asked));
    if (!running) return undefined;
    const { call, record } = context;
    const { requestDigest, requestId } = running.options;
    if (requestDigest !== asked.requestDigest) throw keyReused(requestId);
    await Promise.race([running.begun, left(call.signal)]);
    if (call.signal.aborted) throw callerLeft();
    if (!running.answer) return undefined;
    replays({ requestId, ...running.facts }, record);
    record.firstByteMs = Math.round(performance.now() - call.startedAt);
    return await replayRunning(running, context);
  }

  /** Asks the store, until this call may run or the first one has ended. */
  async #answerStored(
    asked: RepeatableRequest,
    context: CallContext,
    perform: Perform,
  ): Promise<Response> {
    const { call } = context;
    const use = await this.#useOf(asked.accountId); // before the claim, which a failure would leave behind
    const endsAt = performance.now() + this.#limits.idempotentWaitMs;
    for (let ms = pauseMsMin;; ms = Math.min(2 * ms, pauseMsMax)) {
      const claimed = await claimCall(this.#store, asked, { requestId: call.id, now: this.#now });
      if (claimed.type === "claimed") {
        return await this.#run(claimed.claim, { ...asked, use }, context, perform);
      }
      if (claimed.type === "ended") return await this.#replay(claimed.call, context);
      if (claimed.type === "other_request") throw keyReused(claimed.requestId);
      if (performance.now() > endsAt) throw stillRunning();
      await pause(ms, call.signal);
      if (call.signal.aborted) throw callerLeft();
      const joined = await this.#joined(asked, context);
      if (joined) return joined;
    }
  }

  async #replay(ended: EndedIdempotentCall, context: CallContext): Promise<Response> {
    const { requestId, end: { model, stream, costNanoUsd } } = ended;
    const { call, record } = context;
    replays({ requestId, model, stream }, record);
    const kept = await readKeptAnswer(this.#store, ended);
    if (kept === undefined) throw notStored(requestId);
    record.firstByteMs = Math.round(performance.now() - call.startedAt);
    return await replayKept(kept as KeptAnswer, context, { costNanoUsd }); // only a RunningCall stores one
  }

  async #run(
    claim: CallClaim,
    asked: RepeatableRequest & { readonly use: Use },
    { call, gateway }: CallContext,
    perform: Perform,
  ): Promise<Response> {
    const { requestDigest, use } = asked;
    const running = new RunningCall(claim, {
      requestId: call.id,
      requestDigest,
      answerBytesMax: this.#limits.idempotentAnswerBytesMax,
      isStorable: this.#hasRoom(use),
      over: (storedBytes) => {
        this.#running.delete(nameOf(asked));
        use.bytes += storedBytes;
      },
    });
    this.#running.set(nameOf(asked), running);
    const repeatable = { ...gateway, repeatable: running };
    const response = await perform(detachedCall(call, asked.bytes), repeatable);
    return await running.delivered(response, call.signal);
  }

  #hasRoom(use: Use): boolean {
    const { idempotentAnswersMax, idempotentBytesMax } = this.#limits;
    return ++use.answers <= idempotentAnswersMax && use.bytes < idempotentBytesMax;
  }

  /** The calls of an account with a key in the last 24 hours. */
  async #useOf(accountId: string): Promise<Use> {
    const nowMs = this.#now();
    const known = this.#uses.get(accountId);
    if (known && nowMs - known.readAtMs < useKnownMs) return known;
    const { idempotentAnswersMax } = this.#limits;
    const read = await idempotencyUseOf(this.#store, accountId, idempotentAnswersMax);
    const use = { ...read, readAtMs: nowMs };
    this.#uses.set(accountId, use);
    return use;
  }
}

interface Use {
  answers: number;
  bytes: number;
  readonly readAtMs: number;
}

/** Notes the call that is repeated. Refuses a key of the account that may not use its model. */
function replays(first: NonNullable<CallRecord["replayed"]>, record: CallRecord): void {
  record.replayed = first;
  if (record.caller) assertMayUse(record.caller, first.model);
}

function nameOf({ accountId, keyDigest }: RepeatableRequest): string {
  return `${accountId} ${keyDigest}`;
}

/** Resolves when the caller disconnects. */
function left(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
