import {
  type CanonicalEvent,
  type CanonicalRequest,
  type Ending,
  GatewayError,
  noUsage,
  type Usage,
} from "../../canonical/mod.ts";
import { countTextTokens, cutToTokens, measureRequest } from "../../tokens/mod.ts";
import { type Draft, draftCalls } from "./calls.ts";
import { type AnswerPace, pacedSteps, paceOf, waitStep } from "./pace.ts";
import { breakOff, type Prompt, readPrompt, throwFailure } from "./prompt.ts";
import { draftThoughts, replyText } from "./words.ts";

interface EmbeddedOptions {
  /** The gateway's request id: every id in the answer is derived from it. */
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Milliseconds between two words of a stream; overridden by a `pace` in the prompt. */
  readonly paceMs?: number;
}

/**
 * Answers as in `docs/reference/built-in-model.md`. The same request and options give the same
 * events. A requested error before any text is thrown, like a refusal; a later one, and a
 * cancellation, is the last event.
 */
export async function* answerEmbedded(
  request: CanonicalRequest,
  options: EmbeddedOptions,
): AsyncGenerator<CanonicalEvent> {
  const prompt = readPrompt(request);
  await throwFailure(prompt.failure, options.signal);
  yield { type: "start", id: `echo_${options.requestId}`, model: request.model };
  try {
    yield* answer(request, prompt, options);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    yield { type: "error", error };
  }
}

async function* answer(
  request: CanonicalRequest,
  prompt: Prompt,
  options: EmbeddedOptions,
): AsyncGenerator<CanonicalEvent> {
  const alternatives = draftAlternatives(request, prompt, options.requestId)
    .map((drafts) => boundDrafts(drafts, request));
  yield* stream(alternatives, paceOf(request, prompt, options));
  breakOff(prompt.failure);
  yield { type: "usage", usage: usageOf(request, alternatives.flatMap(({ drafts }) => drafts)) };
  yield { type: "end", endings: alternatives.map(({ ending }) => ending) };
}

async function* stream(
  alternatives: readonly Bounded[],
  pace: AnswerPace,
): AsyncGenerator<CanonicalEvent> {
  let index = 0;
  for (const [alternative, { drafts }] of alternatives.entries()) {
    for (const draft of drafts) yield* streamPart(draft, { index: index++, alternative }, pace);
  }
}

/** Streams a part; closes it even if it is cancelled. */
async function* streamPart(
  { part, text, patch }: Draft,
  { index, alternative }: { index: number; alternative: number },
  pace: AnswerPace,
): AsyncGenerator<CanonicalEvent> {
  yield { type: "part-start", index, ...(alternative > 0 && { alternative }), part };
  try {
    for (const step of pacedSteps(text, pace)) {
      await waitStep(pace);
      yield { type: "part-delta", index, text: step };
    }
  } catch (error) {
    yield { type: "part-end", index };
    throw error;
  }
  yield { type: "part-end", index, ...(patch && { patch }) };
}

/** Counts with the tokenizer. Reports no cached tokens, so that equal calls cost the same. */
function usageOf(request: CanonicalRequest, drafts: readonly Draft[]): Usage {
  return {
    ...noUsage,
    ...measureRequest(request),
    outputTokens: sum(drafts.filter(({ part }) => part.type !== "reasoning")),
    reasoningTokens: sum(drafts.filter(({ part }) => part.type === "reasoning")),
  };
}

function sum(drafts: readonly Draft[]): number {
  return drafts.reduce((total, draft) => total + tokensOf(draft), 0);
}

const alternativesMax = 128;

/** The parts of each alternative, in order: a thought, words, calls. */
function draftAlternatives(
  request: CanonicalRequest,
  prompt: Prompt,
  requestId: string,
): readonly (readonly Draft[])[] {
  const asked = Math.trunc(request.sampling.alternatives ?? 1) || 1;
  return Array.from(
    { length: Math.min(alternativesMax, Math.max(1, asked)) },
    (_, alternative) => [
      ...draftThoughts(request, prompt),
      ...draftAnswer(request, prompt, { seed: `${requestId}.${alternative}`, alternative }),
    ],
  );
}

function draftAnswer(
  request: CanonicalRequest,
  prompt: Prompt,
  { seed, alternative }: { seed: string; alternative: number },
): readonly Draft[] {
  const { calls, refusals } = draftCalls(request, prompt, seed);
  const silent = calls.length > 0 || refusals.length > 0;
  const text = silent ? refusals.join("\n") : replyText(request, prompt, alternative);
  return text === "" ? calls : [{ part: { type: "text", text: "" }, text }, ...calls];
}

/** The parts of one alternative within its limits, and the reason for its end. */
interface Bounded {
  readonly drafts: readonly Draft[];
  readonly ending: Ending;
}

/** Cuts an alternative at the first stop sequence in its text, and at the tokens allowed. */
function boundDrafts(drafts: readonly Draft[], request: CanonicalRequest): Bounded {
  const kept: Draft[] = [];
  let tokensLeft = request.limits.maxOutputTokens ?? Infinity;
  for (const draft of drafts) {
    const [cut, stopSequence] = cutAtStop(draft, request.sampling.stopSequences ?? []);
    const tokens = tokensOf(cut);
    if (tokens > tokensLeft) {
      return {
        drafts: [...kept, ...shortened(cut, tokensLeft)],
        ending: { finishReason: "length" },
      };
    }
    tokensLeft -= tokens;
    kept.push(cut);
    if (stopSequence !== undefined) {
      return { drafts: kept, ending: { finishReason: "stop-sequence", stopSequence } };
    }
  }
  const called = kept.some(({ part }) => part.type === "tool-call");
  return { drafts: kept, ending: { finishReason: called ? "tool-calls" : "stop" } };
}

function tokensOf({ part, text }: Draft): number {
  return countTextTokens(text) + (part.type === "tool-call" ? countTextTokens(part.name) : 0);
}

function cutAtStop(draft: Draft, sequences: readonly string[]): [Draft, string?] {
  if (draft.part.type !== "text") return [draft];
  const [first] = sequences
    .filter((sequence) => sequence !== "" && draft.text.includes(sequence))
    .map((sequence) => ({ sequence, at: draft.text.indexOf(sequence) }))
    .toSorted((a, b) => a.at - b.at);
  return first ? [{ ...draft, text: draft.text.slice(0, first.at) }, first.sequence] : [draft];
}

/** The part cut to the remaining tokens; nothing if not even its name fits. */
function shortened({ patch: _patch, ...draft }: Draft, tokensLeft: number): readonly Draft[] {
  const name = draft.part.type === "tool-call" ? countTextTokens(draft.part.name) : 0;
  if (tokensLeft <= name) return [];
  return [{ ...draft, text: cutToTokens(draft.text, tokensLeft - name) }];
}
