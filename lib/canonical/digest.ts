import { createHash } from "node:crypto";

/** SHA-256 of a text in hexadecimal, for stable ids and short names. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
