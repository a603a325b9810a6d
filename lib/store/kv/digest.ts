import { createHash } from "node:crypto";

/** Returns the digest under which the store knows a secret: SHA-256 in hexadecimal. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
