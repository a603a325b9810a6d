import type { Answer } from "../http/stream/answer.ts";
import { outliving } from "../http/stream/outliving.ts";
import type { Settled, StreamResult } from "../http/stream/transcoder.ts";
import type { GatewayError } from "../canonical/mod.ts";
import type { Envelope } from "../formats/codec.ts";
import type { Hold } from "../ledger/mod.ts";
import type { CallClaim } from "../store/idempotency/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import {
  type AnswerFacts,
  type KeptAnswer,
  RecordedStream,
  RecordedWhole,
  RecordingTranscoder,
} from "./recorded_answer.ts";

/** A claim of an idempotency key is renewed this often, four times before it would end. */
const renewEveryMs = 10_000;

interface RunningCallOptions {
  readonly requestId: string;
  readonly requestDigest: string;
  readonly answerBytesMax: number;
  /** False if the account has stored as many answers as it may. */
  readonly isStorable: boolean;
  /** Called once the call is over, with the size of the answer that was stored. */
  readonly over: (storedBytes: number) => void;
}

/**
 * The first call with an idempotency key, while it runs in this isolate. It does not end when its
 * caller disconnects, so that a repetition gets its answer.
 */
export class RunningCall {
  readonly options: RunningCallOptions;
  readonly #claim: CallClaim;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #begun = Promise.withResolvers<void>();
  readonly #settled = Promise.withResolvers<Settled | undefined>();
  /** The answer, once it has started. */
  answer?: RecordedWhole | RecordedStream;
  /** False once repetitions cannot get the answer later. */
  #isStorable: boolean;
  #storedBytes = 0;
  #isQueued = false;
  readonly #over = Promise.withResolvers<void>();
  /** The model and the kind of answer, as the log names them. */
  facts: Pick<RequestLogRow, "model" | "stream"> = { model: "", stream: false };

  constructor(claim: CallClaim, options: RunningCallOptions) {
    this.options = options;
    this.#claim = claim;
    this.#isStorable = options.isStorable;
    this.#settled.promise.catch(() => {}); // callers that join may be none
    this.#timer = setInterval(() => void claim.renew().catch(() => {}), renewEveryMs);
    Deno.unrefTimer(this.#timer);
  }

  /** Resolves once the answer has started, or the call is over without one. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Resolves once the call is charged; to undefined if it failed. */
  get settledCall(): Promise<Settled | undefined> {
    return this.#settled.promise;
  }

  /** Ties the charge of the call to its claim. */
  reserved(hold: Hold, { model, stream }: Pick<Envelope, "model" | "stream">): void {
    hold.claim = this.#claim;
    this.facts = { model, stream };
  }

  /** Runs the call in the background: only a queued response is stored, not a stream of its events. */
  queued(): void {
    this.#isQueued = true;
  }

  /** Records an answer that begins. */
  recorded(answer: Answer, facts: AnswerFacts): Answer {
    if (this.#isQueued) return answer;
    const { answerBytesMax } = this.options;
    const recorded = this.answer = answer.type === "whole"
      ? new RecordedWhole(answer, facts, answerBytesMax)
      : new RecordedStream(answer, facts, answerBytesMax);
    this.#begun.resolve();
    if (answer.type === "whole" || recorded instanceof RecordedWhole) return answer;
    return answer.kind === "bytes"
      ? { ...answer, transcoder: new RecordingTranscoder(answer.transcoder, recorded) }
      : { ...answer, transcoder: new RecordingTranscoder(answer.transcoder, recorded) };
  }

  /**
   * Stores the answer before the call is charged. Returns false if the call must not be charged:
   * another one has taken its place, or the store is unavailable.
   */
  async prepare(result: StreamResult): Promise<boolean> {
    clearInterval(this.#timer);
    if (this.#isQueued) await this.#over.promise;
    return await this.#keep(this.answer?.kept(result)).catch(() => false);
  }

  async #keep(kept: KeptAnswer | undefined): Promise<boolean> {
    if (!this.#isQueued) this.#isStorable &&= kept !== undefined;
    if (!kept || !this.#isStorable) return await this.#claim.renew();
    this.#storedBytes = kept.content.length;
    return await this.#claim.keepAnswer(kept);
  }

  /** Releases the end of the answer to callers that joined: the call is charged. */
  settled(settled: Settled): Settled {
    this.#settled.resolve(settled);
    if (this.answer instanceof RecordedStream) this.answer.close();
    return this.#isStorable ? settled : { ...settled, isReplayable: false };
  }

  failed(error: GatewayError): void {
    this.#settled.reject(error);
    if (this.answer instanceof RecordedStream) this.answer.fail(error);
  }

  /** The response of the call, for its caller. */
  async delivered(response: Response, caller: AbortSignal): Promise<Response> {
    if (!response.ok) await this.#claim.release().catch(() => {}); // the claim ends by itself
    else if (this.#isQueued) await this.#keepQueued(response);
    if (response.ok && !this.#isStorable) response.headers.set("tessera-replayable", "false");
    const isOver = !response.ok || this.#isQueued || this.answer instanceof RecordedWhole;
    if (isOver || !response.body) {
      this.#end();
      return response;
    }
    return new Response(outliving(response.body, caller, () => this.#end()), response);
  }

  /** Stores the queued response: the call is charged later. */
  async #keepQueued(response: Response): Promise<void> {
    const contentType = response.headers.get("content-type") ?? "";
    this.#isStorable &&= contentType.startsWith("application/json");
    if (!this.#isStorable) return;
    const content = await response.clone().bytes();
    const facts = { notes: [], answerNotes: [], statesCost: false, outcome: "completed" } as const;
    const kept: KeptAnswer = { type: "whole", content, contentType, ...facts };
    this.#isStorable = await this.#claim.endWith(kept, this.facts).catch(() => false);
  }

  #end(): void {
    clearInterval(this.#timer);
    this.options.over(this.#storedBytes);
    this.#settled.resolve(undefined);
    this.#begun.resolve();
    this.#over.resolve();
    if (this.answer instanceof RecordedStream) this.answer.close();
  }
}
