import type { CanonicalRequest, Part } from "../../canonical/mod.ts";
import { mediaBytes } from "../../tokens/mod.ts";
import { instanceOf } from "./instance.ts";
import type { MediaPart, NamedResult, Prompt } from "./prompt.ts";

/** The most characters of the prompt to echo. */
const echoCharsMax = 32_000;
const resultCharsMax = 4_000;

/** The model's text if it calls no tool. */
export function reply({ output }: CanonicalRequest, prompt: Prompt, alternative: number): string {
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
