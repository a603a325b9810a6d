import { createHash } from "node:crypto";

/** How a secret is known to the store: SHA-256, in hexadecimal. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
