import type { Codec, Dialect } from "../../formats/codec.ts";
import { type Decoded, decodedOf } from "../decode.ts";

/** Replaces the output limit of a request and keeps the rest of its text byte for byte. */
export function withOutputLimit(
  decoded: Decoded,
  codec: Codec,
  { tokens, dialect }: { readonly tokens: number; readonly dialect?: Dialect },
): Decoded {
  const { wire } = decoded;
  const limited = codec.withOutputLimit(decoded.read, tokens, dialect);
  return { ...decoded, ...decodedOf(codec, { ...wire, body: limited.body }, limited) };
}
