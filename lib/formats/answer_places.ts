import type { Citation, MediaSource, Part } from "../canonical/mod.ts";

/** A part that is neither text nor a call. */
export type MediumPart = Extract<Part, { type: "image" | "audio" | "video" | "file" }>;

/** What an answer of a format has a place for, of that which another format said. */
export interface AnswerPlaces {
  /** The sources from which it shows a medium, by the medium's kind. */
  readonly media: Readonly<Record<MediumPart["type"], readonly MediaSource["type"][]>>;
  /** Whether what is heard stands beside it in words. */
  readonly transcripts: boolean;
  /** Whether a text may cite addresses. Nothing else can be cited across formats. */
  readonly addresses: boolean;
  /** Whether there may be several answers to one request. */
  readonly alternatives: boolean;
  /** Whether the arguments of a call are an object, and not the text that the model wrote. */
  readonly objectArguments: boolean;
  /** Whether an answer can say that it only pauses. */
  readonly pauses: boolean;
  /** Whether a refusal is marked as one. */
  readonly refusals: boolean;
  /** Whether an ending names the stop sequence that matched. */
  readonly stopSequences: boolean;
  /** Whether what is heard says how it is encoded. */
  readonly audioTypes: boolean;
}

export function showsMedium({ media }: AnswerPlaces, { type, source }: MediumPart): boolean {
  return media[type].includes(source.type);
}

export function showsCitation({ addresses }: AnswerPlaces, { url }: Citation): boolean {
  return addresses && url !== undefined;
}
