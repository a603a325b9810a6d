import { Buffer } from "node:buffer";
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";

/** The bytes before the 32 of an Ed25519 private key in PKCS #8 (RFC 8410). */
const pkcs8Header = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Derives the Ed25519 private key that signs the child keys of an API key, in PKCS #8. It takes the
 * secret: the stored digest and the public key sign nothing.
 */
export function childSigningKey(secret: string): Buffer<ArrayBuffer> {
  const seed = createHash("sha256").update(`tessera child key ${secret}`).digest();
  return Buffer.concat([pkcs8Header, seed]);
}

/** Returns the public key that verifies them, in base64url. */
export function childPublicKey(secret: string): string {
  const key = createPrivateKey({ key: childSigningKey(secret), format: "der", type: "pkcs8" });
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return String(x);
}
