import type { Note } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { Dialect } from "../formats/dialect.ts";
import { type Decoded, decodedOf } from "./decode.ts";

/** Said of a call whose answer may be no longer than what is left of a limit of money. */
export const limitNote = {
  path: "limits.maxOutputTokens",
  action: "clamped",
  reason: "The balance or budget pays for no longer answer, so its limit is what is left pays for",
} as const satisfies Note;

/** The same request with another limit of its answer; the rest of its text stays byte for byte. */
export function withOutputLimit(
  decoded: Decoded,
  codec: Codec,
  { tokens, dialect }: { readonly tokens: number; readonly dialect?: Dialect },
): Decoded {
  const { wire } = decoded;
  const read = { text: decoded.text, body: wire.body };
  const { text, body } = codec.withOutputLimit(read, tokens, dialect);
  return { ...decoded, ...decodedOf(codec, { ...wire, body }, text) };
}
