import { callerLeft, GatewayError, type JsonObject } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import type { Call } from "../http/call.ts";
import type { Decoded } from "../http/decode.ts";
import { answerHeaders, errorCodecOf, gatewayErrorOf } from "../http/errors.ts";
import { streamHeaders } from "../http/respond.ts";
import { SseReader, sseText } from "../http/stream/sse.ts";
import {
  replaceStoredResponse,
  type StoredResponse,
  storeExchanges,
} from "../store/responses/mod.ts";
import { keepConversation } from "./conversations.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import type { Keeping } from "./keeping.ts";
import { Progress, signOfLifeMs } from "./progress.ts";
import { backgroundEvents } from "./read.ts";

/** The call pipeline, as a background response uses it. */
interface Line {
  /** Sends the call; resolves with the streamed answer, which ends after the call is settled. */
  readonly begin: () => Promise<Response>;
  /** Settles a call that failed before its answer started. */
  readonly fail: (error: GatewayError) => Promise<void>;
}

interface BackgroundCall {
  readonly call: Call;
  /** The request as the caller wrote it. */
  readonly asked: Decoded;
}

const text = new TextEncoder();
/** The longest time that the queued state is stored; no response runs longer. */
const queuedKeptMs = 86_400_000;

/** Runs one background response: answers immediately and stores the events for later readers. */
export class Background {
  readonly #deps: ResponsesDeps;
  readonly #keeping: Keeping;
  readonly #asked: BackgroundCall;
  readonly #state: StateCodec;
  readonly #abort = new AbortController();
  readonly #queued: JsonObject;
  #failure = "The response failed";

  constructor(deps: ResponsesDeps, keeping: Keeping, asked: BackgroundCall) {
    this.#deps = deps;
    this.#keeping = keeping;
    this.#asked = asked;
    const { owner, reported } = keeping.plan;
    this.#state = owner.state;
    this.#queued = this.#state.queued(asked.asked.wire.body, reported, asked.call.startedAtMs);
  }

  /** Aborts when the response is cancelled, not when its caller disconnects. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts the response; answers once the record can be fetched. */
  async start(line: Line): Promise<Response> {
    const { store, settings: { retentionMs }, jobs } = this.#deps;
    const { response, exchange } = this.#record();
    await storeExchanges(store, [{ exchange, retentionMs: Math.min(retentionMs, queuedKeptMs) }]);
    const versionstamp = await replaceStoredResponse(store, {
      response,
      versionstamp: null,
      retentionMs,
    });
    if (versionstamp === undefined) throw new Error("A response with this ID already exists");
    const abort = () => this.#abort.abort(callerLeft());
    const over = this.#run(line, new Progress(this.#deps, { response, versionstamp }, abort));
    jobs.add(response.accountId, response.id, { abort, over });
    return this.#answer(response);
  }

  /** The record and the exchange of a running response. The final exchange has another id. */
  #record() {
    const asked = this.#keeping.exchangeOf(this.#queued);
    if (!asked?.response) throw tooLarge(this.#deps);
    const exchange = { ...asked.exchange, id: `${asked.exchange.id}q` };
    const response: StoredResponse = {
      ...asked.response,
      exchange,
      background: {
        runId: this.#deps.store.runId,
        phase: "running",
        aliveUntilMs: this.#deps.now() + signOfLifeMs,
        eventPacks: 0,
        streamEnded: false,
        queued: { id: exchange.id, bytes: exchange.bytes },
      },
    };
    return { response, exchange };
  }

  #answer({ accountId, id }: StoredResponse): Response {
    const { call, asked } = this.#asked;
    const headers = answerHeaders(call.id);
    if (!asked.envelope.stream) return Response.json(this.#queued, { headers });
    const events = backgroundEvents(this.#deps, { accountId, state: this.#state }, { id });
    return new Response(events, { headers: { ...headers, ...streamHeaders.sse } });
  }

  /** Never throws: errors are reported to the operator, because no caller waits. */
  async #run(line: Line, progress: Progress): Promise<void> {
    try {
      await this.#listen(line, progress);
      await this.#end(progress);
    } catch (thrown) {
      progress.stop();
      this.#deps.report(gatewayErrorOf(thrown), this.#asked.call.id);
    }
  }

  /** Reads the answer to its end, or until it is cancelled. */
  async #listen({ begin, fail }: Line, progress: Progress): Promise<void> {
    let place = 0;
    const note = (event: { event?: string; data: string }) => {
      const placed = this.#state.placed(event, place);
      place = placed.place + 1;
      progress.add(text.encode(sseText(placed.event)));
    };
    let response: Response;
    try {
      response = await begin();
    } catch (thrown) {
      const error = this.signal.aborted ? callerLeft() : gatewayErrorOf(thrown);
      await fail(error);
      this.#failure = error.message;
      const { call } = this.#asked;
      const reader = this.#keeping.attempt();
      return errorCodecOf(call).encodeStreamError(error, call.id)
        .forEach((event) => note(reader.push(event)));
    }
    await this.#read(response, note);
  }

  async #read(response: Response, note: (event: { data: string }) => void): Promise<void> {
    const reader = response.body?.getReader();
    const sse = new SseReader();
    let left: Promise<void> | undefined;
    const leave = () => void (left = reader?.cancel());
    this.signal.addEventListener("abort", leave);
    if (this.signal.aborted) leave();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      for (const { event } of sse.push(next.value)) note(event);
    }
    await left; // settles the call
  }

  async #end(progress: Progress): Promise<void> {
    if (this.signal.aborted) return progress.stop();
    const { retentionMs } = this.#deps.settings;
    const { answer, plan: { owner } } = this.#keeping;
    const ended = this.#keeping.exchangeOf(answer ?? this.#failed(this.#failure));
    const kept = ended ?? this.#keeping.exchangeOf(this.#failed(tooLarge(this.#deps).message));
    if (!kept?.response) throw tooLarge(this.#deps);
    const { response, exchange } = kept;
    const page = answer && ended?.page;
    const isNoted = await progress.end({ response, exchange, retentionMs, ...(page && { page }) });
    if (isNoted && page) await keepConversation(this.#deps, owner, page);
  }

  #failed(message: string): JsonObject {
    const { answer, latest } = this.#keeping;
    return this.#state.failed(this.#queued, answer ? undefined : latest, { message });
  }
}

function tooLarge({ settings: { exchangeBytesMax } }: ResponsesDeps): GatewayError {
  return new GatewayError(
    "body_too_large",
    `Cannot store the response: input and output exceed ${exchangeBytesMax} bytes`,
  );
}
