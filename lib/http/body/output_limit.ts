import type { Codec } from "../../formats/codec.ts";
import type { Dialect } from "../../formats/dialect.ts";
import { type Decoded, decodedOf } from "../decode.ts";

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
