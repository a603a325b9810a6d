import type { JsonObject } from "../canonical/mod.ts";
import { imageTokensMax, mediaTokens } from "./media.ts";

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

/**
 * The tokens of a member that no model reads as text: a medium, or a vendor's own reasoning;
 * undefined for a text.
 */
export function nonTextTokens(
  name: string,
  owner: JsonObject,
  ownerName: string,
): number | undefined {
  const value = nonTextMembers.has(name) ? owner[name] : undefined;
  if (typeof value !== "string") return undefined;
  return mediumTokens(name, owner, ownerName) ?? proofTokens(name, value, owner);
}

/** The tokens of a medium in a member of a request; undefined for a text. */
export function mediumTokens(
  name: string,
  owner: JsonObject,
  ownerName: string,
): number | undefined {
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
  const comma = source.startsWith("data:") ? source.indexOf(",") : -1;
  if (comma >= 0) {
    const [mediaType] = source.slice("data:".length, comma).split(";", 1);
    return bytesTokens(kind, source.slice(comma + 1), mediaType);
  }
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
export function proofTokens(name: string, value: string, { type }: JsonObject): number | undefined {
  const isProof = proofMembers.has(name) || (name === "data" && proofTypes.has(type));
  if (!isProof || value.length < proofCharsMin || value.includes(" ")) return undefined;
  return value.length / proofCharsPerToken;
}

/** Members that hold a medium or its address as a text, depending on the members beside them. */
const textMembers = ["data", "file_id"];

/** The members that can hold a medium or its address. */
export const mediumMembers: readonly string[] = [...textMembers, "url", ...mediumOfMember.keys()];

/**
 * Each text of a body with a medium matches one of these, and hardly any other does: schemas of
 * tools have members such as `url`, too. Two patterns, because V8 searches for long words faster.
 */
export const mediumPatterns: readonly RegExp[] = [
  new RegExp(
    `"(?:${textMembers.join("|")})"\\s*:\\s*"|"(?:${[...mediumOfMember.keys()].join("|")})"`,
  ),
  /:\s*"url"|\\u00/, // a type, or an escape that may hide a name
];

/** All names that `mediumTokens` and `proofTokens` know, so that one look-up finds a text. */
const nonTextMembers: ReadonlySet<string> = new Set([...mediumMembers, ...proofMembers]);
