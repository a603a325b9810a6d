import { createHash } from "node:crypto";
import type {
  CanonicalRequest,
  Continuation,
  Effort,
  Part,
  Reasoning,
} from "../../canonical/mod.ts";
import { mediaBytes } from "../../tokens/mod.ts";
import type { Draft } from "./calls.ts";
import { instanceOf } from "./instance.ts";
import type { MediaPart, NamedResult, Prompt } from "./prompt.ts";

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
export function draftThoughts(request: CanonicalRequest, prompt: Prompt): readonly Draft[] {
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
export function replyText(
  { output }: CanonicalRequest,
  prompt: Prompt,
  alternative: number,
): string {
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
