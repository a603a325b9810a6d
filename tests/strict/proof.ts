import { createHash } from "node:crypto";
import { isJsonObject } from "../../lib/canonical/mod.ts";

/** Signs a model's thoughts or calls, so that its vendor can verify them in the history. */
export interface Signer {
  sign(content: string): string;
  /** Returns the signed content; undefined if the signature is another issuer's or was altered. */
  open(proof: string): string | undefined;
}

export function signer(secret: string): Signer {
  const mac = (content: string) =>
    createHash("sha256").update(`${secret}\n${content}`).digest("hex").slice(0, 32);
  return {
    sign: (content) =>
      new TextEncoder().encode(JSON.stringify([secret, mac(content), content])).toBase64(),
    open: (proof) => {
      const [issuer, found, content] = opened(proof);
      const known = issuer === secret && typeof content === "string" && found === mac(content);
      return known ? content : undefined;
    },
  };
}

function opened(proof: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(proof)));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The members of answers that carry signatures; open reasoning counts as its own. */
const proofMembers = new Set([
  "signature",
  "encrypted_content",
  "thoughtSignature",
  "reasoning_content",
  "data",
]);

/** The signatures in an answer, in order. */
export function proofsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(proofsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    proofMembers.has(name) && typeof inner === "string" ? [inner] : proofsIn(inner)
  );
}

/** JSON with sorted keys: equal values, equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_, inner: unknown) =>
      isJsonObject(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1))
        : inner,
  );
}
