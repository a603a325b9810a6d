import { isJsonObject } from "../json/mod.ts";
import type { Continuation } from "./content.ts";
import { type FormatName, formatNames } from "./format.ts";

/** The prefix of a sealed continuation; alone, a placeholder without content. */
export const sealBeginning = "tsr1.";
/** The prefix of a compacted history that the gateway sealed. */
export const capsuleBeginning = "tsc1.";
/** The prefix in base64, for formats that carry continuations as bytes. */
export const sealBeginningInBase64 = "dHNyMS";
/** Part of every item and call id that an encoder creates. */
export const ownIdMark = "_tsr_";
/** Maximum characters of a sealed continuation from a caller: anything longer is not one of ours. */
const sealedCharsMax = 1024 * 1024;

/**
 * The opaque string for a continuation in an answer of format `carrier`: the data itself if that
 * format's vendor issued it, else `tsr1.<issuer>.<payload>` (base64url JSON), so that it passes
 * through a caller of any format unchanged.
 */
export function sealContinuation(
  carrier: FormatName,
  { issuer, data, itemId, text }: Continuation,
): string {
  if (issuer === carrier) return data;
  const payload = JSON.stringify({ d: data, i: itemId, t: text });
  return `${sealBeginning}${issuer}.${
    new TextEncoder().encode(payload).toBase64({ alphabet: "base64url", omitPadding: true })
  }`;
}

/**
 * Decodes a string of `sealContinuation`. The carrier's own vendor issued a string without the
 * prefix; a broken payload gives undefined, so it is left out.
 */
export function openContinuation(
  carrier: FormatName,
  sealed: string,
  itemId?: string,
): Continuation | undefined {
  if (!isSealed(sealed)) {
    return itemId === undefined
      ? { issuer: carrier, data: sealed }
      : { issuer: carrier, data: sealed, itemId };
  }
  if (sealed.length > sealedCharsMax) return undefined;
  const [, issuer, payload] = sealed.split(".");
  const known = formatNames.find((name) => name === issuer);
  return known && payload ? opened(known, payload) : undefined;
}

/** The continuation without its reasoning text. */
export function withoutText({ text: _, ...proof }: Continuation): Continuation {
  return proof;
}

/** Returns true if an opaque string was sealed by this gateway. */
export function isSealed(text: string): boolean {
  return text.startsWith(sealBeginning);
}

/**
 * Matches a body with a sealed continuation or an item id of this gateway, made for a conversation
 * that another upstream answered. Such a body must not pass through unchanged to a vendor that never
 * saw them. One pattern, because a body is searched once instead of three times.
 */
export const sealedState = new RegExp(
  `"${RegExp.escape(sealBeginning)}|"${sealBeginningInBase64}|${ownIdMark}`,
);

function opened(issuer: FormatName, payload: string): Continuation | undefined {
  try {
    const value = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(payload, { alphabet: "base64url" })),
    );
    if (!isJsonObject(value) || typeof value.d !== "string") return undefined;
    return {
      issuer,
      data: value.d,
      ...(typeof value.i === "string" && { itemId: value.i }),
      ...(typeof value.t === "string" && { text: value.t }),
    };
  } catch {
    return undefined;
  }
}
