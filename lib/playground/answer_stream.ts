import { createParser } from "eventsource-parser";
import type { AnswerImage, AnswerPiece, PlaygroundDialect } from "./dialect.ts";
import { isObject, parsedJson, parsedObject, parsedText } from "./json.ts";
import type { ToolCall } from "./prompt.ts";

/** One read of the answer, as text and as pieces. */
export interface AnswerRead {
  readonly raw: string;
  readonly pieces: readonly AnswerPiece[];
}

/**
 * Reads an answer as it arrives, streamed or not. Throws if the connection breaks, except after the
 * answer's own error: some formats close the connection there.
 */
export async function* readAnswerStream(
  response: Response,
  dialect: PlaygroundDialect,
): AsyncGenerator<AnswerRead> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || !type.startsWith("text/event-stream")) {
    const raw = await response.text();
    yield { raw, pieces: dialect.readAnswer(parsedJson(raw)) };
    return;
  }
  let pieces: AnswerPiece[] = [];
  let hasFailed = false;
  const onEvent = ({ data }: { data: string }) => {
    pieces.push(...dialect.readEvent(parsedJson(data)));
  };
  const parser = createParser({ onEvent });
  try {
    for await (const raw of textsOf(response.body)) {
      parser.feed(raw);
      hasFailed ||= pieces.some(({ type }) => type === "error");
      yield { raw, pieces };
      pieces = [];
    }
  } catch (broken) {
    if (!hasFailed) throw broken;
  }
}

/** Some browsers cannot iterate over a stream. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield decoder.decode(read.value, { stream: true });
  }
}

/** The error of a call, as reported in its format. */
export interface Problem {
  /** The HTTP status; absent for an error in mid-stream. */
  readonly status?: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** The answer so far. */
export interface PartialAnswer {
  readonly reasoning: string;
  /** The signatures of the reasoning, one for each section. */
  readonly proofs: readonly string[];
  readonly text: string;
  readonly images: readonly AnswerImage[];
  readonly calls: readonly PlacedCall[];
  /** The finish reason in the format's own word; absent while the answer is running. */
  readonly finish?: string;
  readonly problem?: Problem;
}

export interface PlacedCall extends ToolCall {
  readonly place?: number;
  /** The time from the request to the call. */
  readonly afterMs?: number;
}

export const emptyAnswer: PartialAnswer = {
  reasoning: "",
  proofs: [],
  text: "",
  images: [],
  calls: [],
};

/** Adds a piece to the answer. */
export function withPiece(answer: PartialAnswer, piece: AnswerPiece): PartialAnswer {
  switch (piece.type) {
    case "text":
      return { ...answer, text: answer.text + piece.text };
    case "reasoning":
      return { ...answer, reasoning: answer.reasoning + piece.text };
    case "proof":
      return { ...answer, proofs: [...answer.proofs, piece.proof] };
    case "call":
      return { ...answer, calls: withCall(answer.calls, piece) };
    case "arguments":
      return {
        ...answer,
        calls: answer.calls.map((call) =>
          call.place === piece.place ? { ...call, json: call.json + piece.json } : call
        ),
      };
    case "image":
      return { ...answer, images: [...answer.images, piece.image] };
    case "finish":
      return { ...answer, finish: piece.reason };
    case "error":
      return { ...answer, problem: problemOf({ error: piece.error }) };
    default:
      return piece satisfies never;
  }
}

/** A call that is repeated at the end of the stream replaces its parts. */
function withCall(
  calls: readonly PlacedCall[],
  { type: _, json = "", ...call }: Extract<AnswerPiece, { readonly type: "call" }>,
): readonly PlacedCall[] {
  const id = call.id || `call_${calls.length + 1}`;
  const at = calls.findIndex(({ place }) => place !== undefined && place === call.place);
  if (at < 0) return [...calls, { ...call, id, json }];
  return calls.with(at, { ...calls[at], json: json || calls[at].json });
}

/** True once the format has marked the end of the answer. */
export function isWhole({ finish, problem }: PartialAnswer): boolean {
  return finish !== undefined || problem !== undefined;
}

/** Reads the error body of any format. */
export function problemOf(
  body: unknown,
  { status, retryAfter }: { readonly status?: number; readonly retryAfter?: string | null } = {},
): Problem {
  const error = parsedObject(body).error;
  const { message, code, type, status: word } = parsedObject(error);
  const seconds = Number(retryAfter ?? NaN);
  const text = isObject(error) ? parsedText(message) : parsedText(error);
  return {
    ...(status !== undefined && { status }),
    code: [code, type, word].map(parsedText).find((name) => name !== "") ?? "",
    message: text,
    ...(seconds > 0 && { retryAfterSeconds: Math.ceil(seconds) }),
  };
}
