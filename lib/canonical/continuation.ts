import type { Continuation } from "./content.ts";
import { type FormatName, formatNames } from "./format.ts";
import { isJsonObject } from "./json.ts";

/** How a sealed proof begins: alone, it is a proof of nobody. */
export const sealBeginning = "tsr1.";
/** The same where a format carries proofs as bytes. */
export const sealBeginningInBase64 = "dHNyMS";
/** Stands in every item and call id that an encoder makes up. */
export const ownIdMark = "_tsr_";
/** Proofs come back from callers: anything longer is not one of ours. */
const sealedCharsMax = 1024 * 1024;

/**
 * The opaque string that carries a proof in an answer of format `carrier`: the proof itself where
 * that format's vendor issued it, and `tsr1.<issuer>.<payload>` (base64url JSON) where another did,
 * so that it survives a caller of any format and comes home unharmed.
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
 * Reads what `sealContinuation` wrote. A string without the tag was issued by the carrier's own
 * vendor; one with a broken payload belongs to nobody and gives `undefined`, so it is left out.
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

/** The proof alone. */
export function withoutText({ text: _, ...proof }: Continuation): Continuation {
  return proof;
}

/** Whether an opaque string is one of ours, rather than the carrier's own vendor's. */
export function isSealed(text: string): boolean {
  return text.startsWith(sealBeginning);
}

/**
 * Whether a body's text bears what this gateway made for a conversation that another upstream
 * answered: a sealed proof, or an item id of its own making. Such a body must not pass through
 * untouched to a vendor that never saw them.
 */
export function bearsForeignState(text: string): boolean {
  return [`"${sealBeginning}`, `"${sealBeginningInBase64}`, ownIdMark].some((mark) =>
    text.includes(mark)
  );
}

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
