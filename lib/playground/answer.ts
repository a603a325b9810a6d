import type { Piece } from "./dialect.ts";
import { isObject, objectOf, textOf } from "./json.ts";
import type { ToolCall } from "./prompt.ts";

/** What went wrong, as the format's error says it. */
export interface Problem {
  /** The HTTP status; absent for what went wrong in mid-stream. */
  readonly status?: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** What a model has said so far. */
export interface Answer {
  readonly reasoning: string;
  /** The seals of the reasoning, one for each stretch of it. */
  readonly proofs: readonly string[];
  readonly text: string;
  readonly calls: readonly PlacedCall[];
  /** Why it is over, in the format's own word; absent while it goes on. */
  readonly finish?: string;
  readonly problem?: Problem;
}

interface PlacedCall extends ToolCall {
  readonly place?: number;
}

export const emptyAnswer: Answer = { reasoning: "", proofs: [], text: "", calls: [] };

/** The answer with a piece more. */
export function heard(answer: Answer, piece: Piece): Answer {
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
    case "finish":
      return { ...answer, finish: piece.reason };
    case "error":
      return { ...answer, problem: problemOf({ error: piece.error }) };
    default:
      return piece satisfies never;
  }
}

/** A call that is told of again, at its end, is told of whole. */
function withCall(
  calls: readonly PlacedCall[],
  { type: _, json = "", ...begun }: Extract<Piece, { readonly type: "call" }>,
): readonly PlacedCall[] {
  const id = begun.id || `call_${calls.length + 1}`;
  const at = calls.findIndex(({ place }) => place !== undefined && place === begun.place);
  if (at < 0) return [...calls, { ...begun, id, json }];
  return calls.with(at, { ...calls[at], json: json || calls[at].json });
}

/** Whether the format said that the answer is over, whichever way. */
export function isWhole({ finish, problem }: Answer): boolean {
  return finish !== undefined || problem !== undefined;
}

/** What an error body of any format says. */
export function problemOf(
  body: unknown,
  { status, retryAfter }: { readonly status?: number; readonly retryAfter?: string | null } = {},
): Problem {
  const error = objectOf(body).error;
  const { message, code, type, status: word } = objectOf(error);
  const seconds = Number(retryAfter ?? NaN);
  const text = isObject(error) ? textOf(message) : textOf(error);
  return {
    ...(status !== undefined && { status }),
    code: [code, type, word].map(textOf).find((name) => name !== "") ?? "",
    message: text,
    ...(seconds > 0 && { retryAfterSeconds: Math.ceil(seconds) }),
  };
}
