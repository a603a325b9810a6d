import { createHash } from "node:crypto";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  type Continuation,
  type Effort,
  type Ending,
  GatewayError,
  noUsage,
  type Part,
  type Reasoning,
  type Usage,
} from "../../canonical/mod.ts";
import { countTextTokens, cutToTokens, measureRequest, mediaBytes } from "../../tokens/mod.ts";
import { type Draft, draftCalls } from "./calls.ts";
import { instanceOf } from "./instance.ts";
import { type AnswerPace, paceOf, steps, waitStep } from "./pace.ts";
import {
  breakOff,
  type MediaPart,
  type NamedResult,
  type Prompt,
  readPrompt,
  throwFailure,
} from "./prompt.ts";

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
    for (const step of steps(text, pace)) {
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
  const text = silent ? refusals.join("\n") : reply(request, prompt, alternative);
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

/** Twelve bytes, so that its base64 is a prefix of the base64 of every proof. */
const proofMark = "echo-thought";
const proofTag = btoa(proofMark);

const sentencesOf = {
  none: 0,
  minimal: 1,
  low: 1,
  medium: 2,
  high: 3,
  xhigh: 4,
  max: 4,
} as const satisfies Record<Effort, number>;

/** Drafts a short thought if reasoning is on. */
function draftThoughts(request: CanonicalRequest, prompt: Prompt): readonly Draft[] {
  if (!isThinking(request.reasoning)) return [];
  const text = thought(request, prompt);
  const part = { type: "reasoning", text: "", visibility: "summary" } as const;
  return [{ part, text, patch: { continuation: proofOf(text) } }];
}

function isThinking({ mode, effort, budgetTokens }: Reasoning = {}): boolean {
  if (mode === "disabled" || effort === "none" || budgetTokens === 0) return false;
  return mode !== undefined || effort !== undefined || budgetTokens !== undefined;
}

function thought(request: CanonicalRequest, prompt: Prompt): string {
  const sentences = [
    `The user's last message has ${prompt.text.length} characters.`,
    `It comes with ${prompt.results.length} tool results and ${request.tools.length} tools.`,
    `It asks for ${prompt.calls.length} calls.`,
    "Now I know what to answer.",
  ].slice(0, sentencesOf[request.reasoning?.effort ?? "medium"]);
  const remembered = rememberedThoughts(request);
  if (remembered > 0) sentences.push(`Of my earlier thoughts ${remembered} came back to me.`);
  return sentences.join(" ");
}

/**
 * Counts our own proofs in the request, even wrapped in other data, so that a client can check that
 * it replays them correctly.
 */
function rememberedThoughts({ turns }: CanonicalRequest): number {
  return turns.flatMap(({ parts }) => parts)
    .filter(({ continuation }) => continuation?.data.includes(proofTag))
    .length;
}

/**
 * Signs with the one format whose vendors do not verify proofs: if the conversation continues with
 * a real upstream, the three formats that verify proofs never see these. Plain base64 is valid in
 * every format's field.
 */
function proofOf(text: string): Continuation {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 24);
  return { issuer: "chat-completions", data: btoa(proofMark + digest) };
}

const echoCharsMax = 32_000;
const resultCharsMax = 4_000;

/** The model's text if it calls no tool. */
function reply({ output }: CanonicalRequest, prompt: Prompt, alternative: number): string {
  switch (output?.type) {
    case "schema":
      return JSON.stringify(instanceOf(output.schema));
    case "json":
      return JSON.stringify({ echo: cited(prompt.text, echoCharsMax) });
    case "text":
    case undefined:
      return alternative === 0 ? inWords(prompt) : `(${alternative + 1}) ${inWords(prompt)}`;
    default:
      return output satisfies never;
  }
}

function inWords({ text, results, media, failure }: Prompt): string {
  if (failure) return "This answer breaks off in the middle of a";
  const sentences = [
    ...results.map(describeResult),
    ...(text.trim() === "" ? [] : [`You said: ${cited(text, echoCharsMax)}`]),
    ...(media.length === 0 ? [] : [`I received ${media.map(describeMedium).join(", ")}.`]),
  ];
  return sentences.join("\n") || "You said nothing. I am tessera-echo: I repeat what you say.";
}

function describeResult({ name, isError, parts }: NamedResult): string {
  const content = cited(parts.map(describePart).join("\n"), resultCharsMax);
  return `${name} ${isError ? "failed" : "returned"}: ${content || "nothing"}`;
}

function describePart(part: Part): string {
  switch (part.type) {
    case "text":
    case "refusal":
    case "reasoning":
      return part.text;
    case "image":
    case "audio":
    case "video":
    case "file":
      return describeMedium(part);
    case "native":
      return part.text ?? "an item of an unknown type";
    case "tool-call":
    case "tool-result":
      return `an item of type ${part.type}`;
    default:
      return part satisfies never;
  }
}

const articles = { image: "an image", audio: "an audio clip", video: "a video", file: "a file" };

/** Describes a medium, such as `an image (image/png, 68 bytes)`. */
function describeMedium(medium: MediaPart): string {
  const bytes = mediaBytes(medium.source);
  const facts = [
    ...(medium.type === "file" && medium.name ? [medium.name] : []),
    medium.mediaType ?? "unknown type",
    bytes === undefined ? "by reference" : `${bytes} bytes`,
  ];
  return `${articles[medium.type]} (${facts.join(", ")})`;
}

function cited(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  return `${text.slice(0, charsMax).toWellFormed()}… (${text.length - charsMax} more characters)`;
}
