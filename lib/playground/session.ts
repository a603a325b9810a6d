import type { PlaygroundFormat } from "./dialects.ts";
import {
  type AnswerRead,
  emptyAnswer,
  isWhole,
  type PartialAnswer,
  type Problem,
  withPiece,
} from "./answer_stream.ts";
import type { Attachment, PromptTurn, SentRequest, ToolResult } from "./prompt.ts";
import type { ModelChoice } from "./settings.ts";

/** The outcome of a call in the log. The texts are in the reader's language. */
export interface Receipt {
  readonly durationMs: number;
  /** Absent if the call was not charged. */
  readonly costNanoUsd?: number;
  /** First byte, total, speed and cost, as far as they are known. */
  readonly figures: readonly { readonly name: string; readonly value: string }[];
  /** The token counts. */
  readonly tokens?: string;
  readonly remedy?: string;
}

/** One answer with its request, state and receipt. */
export interface AssistantReply {
  readonly role: "assistant";
  readonly id: number;
  readonly model: string;
  readonly format: PlaygroundFormat;
  readonly state: "running" | "whole" | "stopped" | "failed" | "broken";
  readonly answer: PartialAnswer;
  readonly request: SentRequest;
  /** The raw body of the answer. */
  readonly raw: string;
  readonly requestId?: string;
  readonly receipt?: Receipt;
}

export interface UserMessage {
  readonly role: "user";
  readonly id: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

interface Results {
  readonly role: "tool";
  readonly id: number;
  readonly results: readonly ToolResult[];
}

type LaneTurn = UserMessage | AssistantReply | Results;

/** One conversation with one model. */
export interface Lane {
  readonly choice: ModelChoice;
  readonly turns: readonly LaneTurn[];
}

/** The turns of a prompt. Signatures are sent back only in the format they came in. */
export function promptTurns(turns: readonly LaneTurn[], format: PlaygroundFormat): PromptTurn[] {
  return turns.flatMap((turn): PromptTurn[] => {
    if (turn.role !== "assistant") return [turn];
    const { text, reasoning, proofs } = turn.answer;
    const calls = turn.state === "whole" ? turn.answer.calls : []; // others have no results
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

/** The tool calls that wait for results. */
export function openCalls({ turns }: Lane): AssistantReply["answer"]["calls"] {
  const last = turns.at(-1);
  return last?.role === "assistant" && last.state === "whole" ? last.answer.calls : [];
}

/** The lane without a turn and all turns after it, to send or answer it again. */
export function laneBefore(lane: Lane, id: number): Lane {
  const at = lane.turns.findIndex((turn) => turn.id === id);
  return at < 0 ? lane : { ...lane, turns: lane.turns.slice(0, at) };
}

export function withTurn(lane: Lane, turn: LaneTurn): Lane {
  return { ...lane, turns: [...lane.turns, turn] };
}

/** A new answer, before its first byte. */
export function newReply(
  { choice }: Lane,
  { id, request }: { readonly id: number; readonly request: SentRequest },
): AssistantReply {
  const { model, format } = choice;
  const answer = emptyAnswer;
  return { role: "assistant", id, model, format, state: "running", answer, request, raw: "" };
}

/** The limit of the raw body kept for display. */
const rawCharsMax = 200_000;

/** Adds what was just read to the reply. The time of its tool calls is `elapsedMs`, if it is known. */
export function extendedReply(
  reply: AssistantReply,
  { raw, pieces }: AnswerRead,
  elapsedMs?: number,
): AssistantReply {
  const before = reply.answer.calls.length;
  const answer = pieces.reduce(withPiece, reply.answer);
  const timed = elapsedMs !== undefined && answer.calls.length > before;
  return {
    ...reply,
    raw: reply.raw.length < rawCharsMax ? reply.raw + raw.slice(0, rawCharsMax) : reply.raw,
    answer: timed ? { ...answer, calls: timedFrom(answer.calls, before, elapsedMs) } : answer,
  };
}

function timedFrom(
  calls: AssistantReply["answer"]["calls"],
  first: number,
  afterMs: number,
): AssistantReply["answer"]["calls"] {
  return calls.map((call, at) => at < first ? call : { ...call, afterMs });
}

/** The reply after the end of its stream. */
export function endedReply(reply: AssistantReply): AssistantReply {
  const { answer } = reply;
  return { ...reply, state: answer.problem ? "failed" : isWhole(answer) ? "whole" : "broken" };
}

export function failedReply(reply: AssistantReply, problem: Problem): AssistantReply {
  return { ...reply, state: "failed", answer: { ...reply.answer, problem } };
}

/** The lane with a changed reply in place of the one with the same id. */
export function withReply(lane: Lane, reply: AssistantReply): Lane {
  return { ...lane, turns: lane.turns.map((turn) => turn.id === reply.id ? reply : turn) };
}

/** The advantage of the cheapest and of the fastest of several answers over the next one. */
export interface Advantage {
  readonly cheaperPercent?: number;
  readonly fasterMs?: number;
}

/** Differences below these are chance. */
const [percentMin, msMin] = [1, 10];

/** The advantages of complete answers to one message, by request id. */
export function advantagesOf(replies: readonly AssistantReply[]): ReadonlyMap<string, Advantage> {
  const known = replies.flatMap(({ state, requestId = "", receipt }) =>
    state === "whole" && receipt ? [{ requestId, ...receipt }] : []
  );
  const cheapest = leader(known.map(({ requestId, costNanoUsd }) => ({
    requestId,
    value: costNanoUsd ?? 0,
  })));
  const fastest = leader(known.map(({ requestId, durationMs }) => ({
    requestId,
    value: durationMs,
  })));
  const percent = cheapest ? Math.round(100 * cheapest.lead / cheapest.next) : 0;
  const found = new Map<string, Advantage>();
  if (cheapest && percent >= percentMin) found.set(cheapest.requestId, { cheaperPercent: percent });
  if (fastest && fastest.lead >= msMin) {
    const other = found.get(fastest.requestId);
    found.set(fastest.requestId, { ...other, fasterMs: fastest.lead });
  }
  return found;
}

/** The lowest value and its distance to the next; undefined for fewer than two values. */
function leader(values: readonly { readonly requestId: string; readonly value: number }[]) {
  const [first, second] = values.toSorted((one, other) => one.value - other.value);
  if (!second || second.value <= 0) return undefined;
  return {
    requestId: first.requestId,
    next: second.value,
    lead: second.value - first.value,
  };
}

/** A message with what each lane answered to it. */
export interface Round {
  readonly said: UserMessage;
  readonly answers: readonly Lane["turns"][];
}

/** The rounds of parallel conversations, which all have the same messages of the user. */
export function roundsOf(lanes: readonly Lane[]): readonly Round[] {
  const said = lanes[0].turns.filter((turn) => turn.role === "user");
  return said.map((turn) => ({
    said: turn,
    answers: lanes.map(({ turns }) => {
      const begin = turns.findIndex(({ id }) => id === turn.id) + 1;
      const end = turns.findIndex(({ role }, at) => at >= begin && role === "user");
      return turns.slice(begin, end < 0 ? undefined : end);
    }),
  }));
}
