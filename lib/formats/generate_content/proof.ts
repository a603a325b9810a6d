import {
  type Continuation,
  isSealed,
  openContinuation,
  sealBeginningInBase64,
  sealContinuation,
} from "../../canonical/mod.ts";
import { format } from "./native.ts";

/**
 * The vendor's placeholder for a lost signature (its documentation names it, and its own
 * command-line agent sends it). It signs nothing, so it counts as no signature.
 */
export const noProof = "skip_thought_signature_validator";

/**
 * Reads a `thoughtSignature` that a caller sent back. The field holds bytes, so another vendor's
 * continuation is the base64 of its sealed form.
 */
export function openProof(signature: string): Continuation | undefined {
  if (signature === noProof || signature === "") return undefined;
  return openContinuation(
    format,
    signature.startsWith(sealBeginningInBase64) ? text(signature) : signature,
  );
}

/** The `thoughtSignature` that carries a continuation in an answer. */
export function sealProof(continuation: Continuation): string {
  const sealed = sealContinuation(format, continuation);
  return continuation.issuer === format ? sealed : new TextEncoder().encode(sealed).toBase64();
}

/** The signature for this vendor: its own, never another vendor's. */
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
