import { isJsonObject, type JsonObject, type JsonValue } from "../canonical/mod.ts";
import { imageTokensMax, mediaTokens } from "./media.ts";
import { estimatedTextTokens } from "./text_estimate.ts";

/**
 * An upper bound of a prompt's tokens, for a reservation: no tokenizer, no decoding, one walk over
 * the parsed body of any format. Practically never below `countRequestTokens` of the same request;
 * for prose about half above it. Takes a few milliseconds per megabyte. Every string counts as
 * text, including its member's name, except media at positions where formats hold them, which cost
 * as in `media.ts` (an image always the maximum), and continuations that only their vendor reads.
 * Data that an upstream stores or fetches itself does not count: stored prompts, earlier responses,
 * pages of a search.
 */
export function estimatedInputTokens(body: JsonObject): number {
  const known = estimated.get(body);
  if (known !== undefined) return known;
  const walk = estimating(body);
  for (let step = walk.next();; step = walk.next()) {
    if (!step.done) continue;
    estimated.set(body, step.value);
    return step.value;
  }
}

/**
 * The same for a long body, ahead of time: calls `giveWay` between its pieces, which may delay it.
 * A later `estimatedInputTokens` of the same body reuses the result.
 */
export async function estimateAhead(
  body: JsonObject,
  giveWay: () => Promise<void> | undefined,
): Promise<void> {
  const walk = estimating(body);
  for (let step = walk.next();; step = walk.next()) {
    if (step.done) return void estimated.set(body, step.value);
    await giveWay();
  }
}

const estimated = new WeakMap<JsonObject, number>();

/** A longer text is counted in parts; a step takes about as long as this many characters. */
const stepChars = 128 * 1024;
const scalarChars = 16;

/** Walks over a body, one step at a time. */
function* estimating(body: JsonObject): Generator<void, number> {
  let tokens = requestTokens + toolPromptTokens(body.tools);
  let chars = 0;
  const waiting: Node[] = [{ name: "", value: body }];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { name, value } = node;
    if (Array.isArray(value)) {
      for (const item of value) {
        if (typeof item === "object" || typeof item === "string") {
          waiting.push({ name, value: item });
        } else {
          tokens += leafTokens(item);
          if ((chars += scalarChars) > stepChars) yield void (chars = 0);
        }
      }
    } else if (isJsonObject(value)) {
      tokens += objectTokens;
      for (const member in value) {
        tokens += memberTokens(member, value, name, waiting);
        if (typeof value[member] === "object") waiting.push({ name: member, value: value[member] });
        if ((chars += sizeOf(value[member])) > stepChars) yield void (chars = 0);
      }
    } else if (typeof value === "string") {
      tokens += punctuationTokens + textTokens(value, waiting);
      if ((chars += sizeOf(value)) > stepChars) yield void (chars = 0);
    } else tokens += leafTokens(value);
  }
  return Math.ceil(tokens);
}

function sizeOf(value: JsonValue | undefined): number {
  return typeof value === "string" ? Math.min(value.length, stepChars) : scalarChars;
}

/** The tokens of a text; a long one is queued in parts. */
function textTokens(text: string, waiting: Node[]): number {
  if (text.length <= stepChars) return estimatedTextTokens(text);
  for (let at = 0; at < text.length; at += stepChars) {
    waiting.push({ name: "", value: text.slice(at, at + stepChars) });
  }
  return 0;
}

/** A value that is not counted yet, and the name of its member. */
interface Node {
  readonly name: string;
  readonly value: JsonValue | undefined;
}

/** The framing of a request, of a turn with a part, of half a tool; quotation marks and the like. */
const requestTokens = 4;
const objectTokens = 5;
const punctuationTokens = 1;

/**
 * Tokens that a vendor adds for tools, and the same again for each hosted tool (messages, 2026-11:
 * 300 to 700 for either).
 */
const vendorPromptTokens = 700;

function toolPromptTokens(tools: JsonValue | undefined): number {
  if (!Array.isArray(tools) || tools.length === 0) return 0;
  const hosted = tools.filter((tool) => isJsonObject(tool) && !Object.values(tool).some(isSchema));
  return vendorPromptTokens * (1 + hosted.length);
}

/** Any object nested in a tool describes it. */
function isSchema(member: JsonValue | undefined): boolean {
  return typeof member === "object" && member !== null && Object.keys(member).length > 0;
}

/** A member's name and its own value, without nested ones. */
function memberTokens(
  name: string,
  owner: JsonObject,
  ownerName: string,
  waiting: Node[],
): number {
  const value = owner[name];
  const named = estimatedTextTokens(name) + punctuationTokens;
  if (typeof value !== "string") {
    return typeof value === "object" ? named : named + leafTokens(value);
  }
  return named + punctuationTokens +
    (mediumTokens(name, owner, ownerName) ?? proofTokens(name, value, owner) ??
      textTokens(value, waiting));
}

function leafTokens(value: JsonValue | undefined): number {
  return punctuationTokens + estimatedTextTokens(String(value));
}

type MediumKind = "image" | "audio" | "video" | "file";

/** Members that contain a medium or its address, by their own name or, for `url`, by their object's. */
const mediumOfMember: ReadonlyMap<string, MediumKind> = new Map([
  ["image_url", "image"],
  ["video_url", "video"],
  ["file_url", "file"],
  ["file_data", "file"],
  ["fileUri", "file"],
  ["file_uri", "file"],
]);

/** A remote medium costs as much as a large image, because its size is unknown. */
const elsewhereTokens = imageTokensMax;

function mediumTokens(name: string, owner: JsonObject, ownerName: string): number | undefined {
  const value = owner[name];
  if (typeof value !== "string") return undefined;
  if (name === "data") return dataTokens(value, owner, ownerName);
  if (name === "file_id" && (ownerName === "file" || typeof owner.type === "string")) {
    return elsewhereTokens;
  }
  if (name === "url" && owner.type === "url") return elsewhereTokens;
  const kind = mediumOfMember.get(name === "url" ? ownerName : name);
  return kind && sourceTokens(kind, value);
}

/** Bytes beside their type, as in three formats; a text document is marked as one. */
function dataTokens(data: string, owner: JsonObject, ownerName: string): number | undefined {
  const mediaType = owner.media_type ?? owner.mimeType ?? owner.mime_type;
  if (ownerName === "input_audio") return bytesTokens("audio", data);
  if (typeof mediaType !== "string" || owner.type === "text") return undefined;
  const [kind] = mediaType.split("/");
  return bytesTokens(isMediumKind(kind) ? kind : "file", data, mediaType);
}

function isMediumKind(kind: string): kind is MediumKind {
  return kind === "image" || kind === "audio" || kind === "video";
}

/** A data URL, bare base64 or an address. */
function sourceTokens(kind: MediumKind, source: string): number {
  const [, mediaType, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(source) ?? [];
  if (data !== undefined) return bytesTokens(kind, data, mediaType);
  return Math.max(elsewhereTokens, bytesTokens(kind, source));
}

function bytesTokens(type: MediumKind, data: string, mediaType?: string): number {
  if (type === "image") return imageTokensMax;
  const source = { type: "base64", data } as const;
  return mediaTokens({ type, source, ...(mediaType && { mediaType }) });
}

const proofMembers = new Set([
  "signature",
  "thoughtSignature",
  "thought_signature",
  "encrypted_content",
]);
const proofTypes: ReadonlySet<unknown> = new Set(["redacted_thinking", "reasoning.encrypted"]);
const proofCharsMin = 64;
/** Sealed reasoning is as long as its content in base64. */
const proofCharsPerToken = 4;

/** A vendor's own reasoning, which it may bill again; undefined for a text. */
function proofTokens(name: string, value: string, { type }: JsonObject): number | undefined {
  const isProof = proofMembers.has(name) || (name === "data" && proofTypes.has(type));
  if (!isProof || value.length < proofCharsMin || value.includes(" ")) return undefined;
  return value.length / proofCharsPerToken;
}
