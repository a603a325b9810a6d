import { type Answer, emptyAnswer, heard, isWhole, type Problem } from "./answer.ts";
import type { Heard } from "./hear.ts";
import type { Attachment, ToolResult, Turn, WireRequest } from "./prompt.ts";
import type { Choice } from "./settings.ts";
import type { PlaygroundFormat } from "./dialects.ts";

/** What the account was charged and how long it took, in words for the reader. */
export interface Receipt {
  readonly facts: readonly string[];
  readonly remedy?: string;
}

/** One answer, and how it came to be. */
export interface Reply {
  readonly role: "assistant";
  readonly id: number;
  readonly model: string;
  readonly format: PlaygroundFormat;
  readonly state: "running" | "whole" | "stopped" | "failed" | "broken";
  readonly answer: Answer;
  readonly request: WireRequest;
  /** The answer's bytes, as text. */
  readonly raw: string;
  readonly requestId?: string;
  readonly firstTokenMs?: number;
  readonly receipt?: Receipt;
}

export interface Said {
  readonly role: "user";
  readonly id: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface Results {
  readonly role: "tool";
  readonly id: number;
  readonly results: readonly ToolResult[];
}

export type LaneTurn = Said | Reply | Results;

/** One conversation: who answers, and what was said. */
export interface Lane {
  readonly choice: Choice;
  readonly turns: readonly LaneTurn[];
}

/** What turns say to a model. Seals belong to the format that they came in. */
export function promptTurns(turns: readonly LaneTurn[], format: PlaygroundFormat): Turn[] {
  return turns.flatMap((turn): Turn[] => {
    if (turn.role !== "assistant") return [turn];
    const { text, reasoning, proofs } = turn.answer;
    const calls = turn.state === "whole" ? turn.answer.calls : []; // of others no result was given
    if (!text && calls.length === 0) return [];
    const own = turn.format === format;
    const [proof] = proofs;
    const thought = own && proofs.length === 1 && { text: reasoning, proof };
    return [{
      role: "assistant",
      text,
      calls: own ? calls : calls.map(({ proof: _, ...call }) => call),
      ...(thought && { thought }),
    }];
  });
}

/** The calls that wait for a result. */
export function openCalls({ turns }: Lane): Reply["answer"]["calls"] {
  const last = turns.at(-1);
  return last?.role === "assistant" && last.state === "whole" ? last.answer.calls : [];
}

/** What came before a turn: it is said or answered anew. */
export function before(lane: Lane, id: number): Lane {
  const at = lane.turns.findIndex((turn) => turn.id === id);
  return at < 0 ? lane : { ...lane, turns: lane.turns.slice(0, at) };
}

export function withTurn(lane: Lane, turn: LaneTurn): Lane {
  return { ...lane, turns: [...lane.turns, turn] };
}

/** An answer that is asked for. */
export function newReply(
  { choice }: Lane,
  { id, request }: { readonly id: number; readonly request: WireRequest },
): Reply {
  const { model, format } = choice;
  const answer = emptyAnswer;
  return { role: "assistant", id, model, format, state: "running", answer, request, raw: "" };
}

/** The most of an answer's bytes that is kept to be looked at. */
const rawCharsMax = 200_000;

/** The reply with what has come. */
export function grown(reply: Reply, { raw, pieces }: Heard, elapsedMs: number): Reply {
  const said = pieces.some(({ type }) =>
    type === "text" || type === "reasoning" || type === "call"
  );
  return {
    ...reply,
    raw: (reply.raw + raw).slice(0, rawCharsMax),
    answer: pieces.reduce(heard, reply.answer),
    ...(said && reply.firstTokenMs === undefined && { firstTokenMs: elapsedMs }),
  };
}

/** The reply once nothing more comes. */
export function ended(reply: Reply): Reply {
  const { answer } = reply;
  return { ...reply, state: answer.problem ? "failed" : isWhole(answer) ? "whole" : "broken" };
}

export function failed(reply: Reply, problem: Problem): Reply {
  return { ...reply, state: "failed", answer: { ...reply.answer, problem } };
}

/** The lane with a reply in place of the one of the same id. */
export function withReply(lane: Lane, reply: Reply): Lane {
  return { ...lane, turns: lane.turns.map((turn) => turn.id === reply.id ? reply : turn) };
}
