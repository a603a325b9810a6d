import { noBytes } from "../bytes.ts";
import type { GatewayError } from "../canonical/mod.ts";
import { streamResponse, wholeResponse } from "../http/respond.ts";
import type { Answer } from "../http/stream/answer.ts";
import { errorForm } from "../http/stream/framing.ts";
import type { Source } from "../http/stream/source.ts";
import {
  outcomeOf,
  type Outgoing,
  type Settled,
  type StreamResult,
  type Transcoder,
  truncated,
} from "../http/stream/transcoder.ts";
import type { CallContext } from "./call_context.ts";
import { replayedRow } from "./call_record.ts";
import { notStored } from "./idempotency_errors.ts";
import { type AnswerFacts, type KeptAnswer, RecordedStream } from "./recorded_answer.ts";
import type { RunningCall } from "./running_call.ts";
import { settleRow } from "./settle.ts";

type Framing = Extract<Answer, { type: "stream" }>["framing"];

/** The facts of the first answer that its bytes do not have. */
interface Replay extends AnswerFacts {
  readonly context: CallContext;
  /** The cost of the first call, known at the end of its answer. */
  readonly cost: () => Settled;
}

/** The answer of a call that has ended. */
export async function replayKept(
  kept: KeptAnswer,
  context: CallContext,
  cost: Settled,
): Promise<Response> {
  const { outcome, answerNotes, content, contentType } = kept;
  const replay = { context, ...kept, cost: () => cost };
  const error = outcome === "completed" ? undefined : truncated();
  const result = { outcome, notes: answerNotes, ...(error && { error }) };
  if (kept.type === "whole") {
    const type = contentType === undefined ? {} : { contentType };
    return await replayWhole({ type: "whole", content, ...type, result }, replay);
  }
  const { framing = { contentType: contentType ?? "" } } = kept;
  const items = [{ bytes: content }, kept.last ?? { broken: truncated() }];
  return replayStream(framing, replay, {
    item: (at) => Promise.resolve(items[at]),
    result: () => result,
  });
}

/** The answer of a call that runs in this isolate; undefined if it ends without one. */
export async function replayRunning(
  { answer, settledCall, options: { requestId } }: RunningCall,
  context: CallContext,
): Promise<Response | undefined> {
  if (!answer) return undefined;
  let cost: Settled | undefined;
  const settled = settledCall.then((known) => cost = known);
  const replay = { context, ...answer.facts, cost: () => cost ?? {} };
  if (answer instanceof RecordedStream) {
    settled.catch(() => {}); // the stream itself reports it
    if (answer.isTooLong) throw notStored(requestId);
    return replayStream(answer.framing, replay, {
      item: (at) => answer.item(at, () => notStored(requestId)),
      result: () => answer.result,
    });
  }
  return await settled && await replayWhole(answer.answer, replay);
}

async function replayWhole(
  answer: Extract<Answer, { type: "whole" }>,
  replay: Replay,
): Promise<Response> {
  const settled = await settleReplay(answer.result, replay);
  return marked(wholeResponse(replay.context.call, answer, settled, optionsOf(replay)));
}

function replayStream(framing: Framing, replay: Replay, first: FirstAnswer): Response {
  const { context: { call } } = replay;
  const fail = (error: GatewayError): Outgoing =>
    typeof framing === "string"
      ? { terminal: errorForm(call, error, framing, { begun: true }) }
      : { broken: error };
  const reader = new Replaying(first, fail);
  const stream = { source: reader, transcoder: reader, first: [], framing };
  const answer = { type: "stream", kind: "bytes", ...stream } as const;
  const settle = (result: StreamResult) => settleReplay(result, replay);
  return marked(streamResponse(call, answer, settle, optionsOf(replay)));
}

function optionsOf({ context: { call, gateway: { limits } }, statesCost, ...facts }: Replay) {
  const { notes, model, retires } = facts;
  const statedCost = statesCost ? call.codec.statedCost : undefined;
  return { notes, model, retires, limits, statedCost };
}

function marked(response: Response): Response {
  response.headers.set("tessera-replayed", "true");
  return response;
}

/** Records the repetition, which costs nothing, and returns the cost of the first call. */
async function settleReplay(
  result: StreamResult,
  { context: { call, gateway, record }, cost }: Replay,
): Promise<Settled> {
  const row = replayedRow(call, record, result);
  if (row) await settleRow(row, gateway, {});
  return cost();
}

interface FirstAnswer {
  /** Its item at a place, once it is there; undefined at its end. */
  readonly item: (at: number) => Promise<Outgoing | undefined>;
  readonly result: () => StreamResult;
}

/** Reads the items of the first answer, and passes them on as they are. */
class Replaying implements Source<Uint8Array>, Transcoder<Uint8Array> {
  readonly isFinished = false;
  #at = 0;
  #item: Outgoing = {};
  #error?: GatewayError;

  constructor(readonly first: FirstAnswer, readonly failed: (error: GatewayError) => Outgoing) {}

  async read(): Promise<Uint8Array | undefined> {
    const item = await this.first.item(this.#at++);
    if (!item) return undefined;
    this.#item = item;
    return noBytes;
  }

  push(): Outgoing {
    return this.#item;
  }

  end(): Outgoing {
    return { broken: truncated() };
  }

  fail(error: GatewayError): Outgoing {
    this.#error = error;
    return this.failed(error);
  }

  result(): StreamResult {
    const error = this.#error;
    return error ? { outcome: outcomeOf(error), error } : this.first.result();
  }

  cancel(): void {}

  release(): void {}
}
