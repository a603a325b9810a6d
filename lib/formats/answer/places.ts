import type { Citation, MediaSource, Part } from "../../canonical/mod.ts";

/** A part that is a medium: image, audio, video or file. */
export type MediumPart = Extract<Part, { type: "image" | "audio" | "video" | "file" }>;

/** The kinds of content that answers of a format have a place for. */
export interface AnswerPlaces {
  /** The sources from which it shows a medium, by the medium's kind. */
  readonly media: Readonly<Record<MediumPart["type"], readonly MediaSource["type"][]>>;
  /** True if audio can carry its transcript. */
  readonly transcripts: boolean;
  /** The number of texts of an answer that can carry the vendor's signature of them. */
  readonly textProofs: number;
  /** True if a text can cite URLs. Only one format has other citations. */
  readonly addresses: boolean;
  /** True if one request can have several answers. */
  readonly alternatives: boolean;
  /** True if the arguments of a call are a JSON object; false if they are the model's text. */
  readonly objectArguments: boolean;
  /** True if an answer can end with a pause. */
  readonly pauses: boolean;
  /** True if a refusal is marked as one. */
  readonly refusals: boolean;
  /** True if an ending names the stop sequence that matched. */
  readonly stopSequences: boolean;
  /** True if usage states the region that served the call. */
  readonly regions: boolean;
  /** True if audio states its encoding. */
  readonly audioTypes: boolean;
  /** The kinds of text whose tokens can have log probabilities. */
  readonly logprobs: readonly ("text" | "refusal")[];
  /** True if a token can have bytes that its text does not show. */
  readonly tokenBytes: boolean;
  /** True if a token can have its number in the model's vocabulary. */
  readonly tokenIds: boolean;
}

export function showsMedium({ media }: AnswerPlaces, part: MediumPart): boolean {
  return media[part.type].includes(part.source.type) && !isHollow(part);
}

/** Returns true for a medium without bytes: no format shows it. */
export function isHollow({ source }: MediumPart): boolean {
  return source.type === "base64" && source.data === "";
}

export function showsCitation({ addresses }: AnswerPlaces, { url }: Citation): boolean {
  return addresses && url !== undefined;
}
