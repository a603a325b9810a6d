import {
  type Continuation,
  isSealed,
  openContinuation,
  sealBeginningInBase64,
  sealContinuation,
} from "../../canonical/mod.ts";
import { format } from "./native.ts";

/**
 * What the vendor takes in place of a signature that is lost (its documentation names it, and its
 * own command-line agent sends it). It proves nothing, so it counts as no signature.
 */
export const noProof = "skip_thought_signature_validator";

/**
 * Reads a `thoughtSignature` that a caller sent back. The field holds bytes, so that a proof of
 * another vendor stands there as the base64 of its sealed form.
 */
export function openProof(signature: string): Continuation | undefined {
  if (signature === noProof || signature === "") return undefined;
  return openContinuation(
    format,
    signature.startsWith(sealBeginningInBase64) ? text(signature) : signature,
  );
}

/** The `thoughtSignature` that carries a proof in an answer. */
export function sealProof(continuation: Continuation): string {
  const sealed = sealContinuation(format, continuation);
  return continuation.issuer === format ? sealed : new TextEncoder().encode(sealed).toBase64();
}

/** The proof as this vendor may see it: its own, and no other's. */
export function ownProof(continuation: Continuation | undefined): { thoughtSignature?: string } {
  return continuation?.issuer === format ? { thoughtSignature: continuation.data } : {};
}

function text(base64: string): string {
  try {
    const opened = new TextDecoder().decode(Uint8Array.fromBase64(base64));
    return isSealed(opened) ? opened : base64;
  } catch {
    return base64;
  }
}
