import { GrowingBytes } from "../bytes.ts";
import type { Source } from "../http/stream/source.ts";

interface ReadingOptions {
  /** The likely total. */
  readonly expected?: number;
  /** Receives each chunk, and the total with it, before it is kept; may throw to refuse it. */
  readonly see?: (chunk: Uint8Array, total: number) => void;
}

/** Joins the chunks of a source up to its end. Rejects like its `read`. */
export async function readToEnd(
  source: Pick<Source<Uint8Array>, "read">,
  { expected, see }: ReadingOptions = {},
): Promise<Uint8Array> {
  const all = new GrowingBytes(expected);
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    see?.(chunk, all.length + chunk.length);
    all.push(chunk);
  }
  return all.bytes();
}
