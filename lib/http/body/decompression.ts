import { pipeline, Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { GatewayError } from "../../canonical/mod.ts";

/** Decompresses `content-encoding`; agents compress long conversations. */
export function decompressed(
  body: ReadableStream<Uint8Array>,
  encoding: string | null,
): ReadableStream<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return body;
  if (name === "zstd") return throughZstd(body);
  const format = streamFormats.get(name);
  if (format) return body.pipeThrough(bytesOf(new DecompressionStream(format)));
  throw new GatewayError(
    "unsupported_media_type",
    "Cannot read request body: unknown content-encoding. Send gzip, deflate, br, zstd or none",
  );
}

const streamFormats = new Map<string, CompressionFormat>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "brotli"],
]);

function bytesOf(stream: GenericTransformStream): ReadableWritablePair<Uint8Array, Uint8Array> {
  return stream as ReadableWritablePair<Uint8Array, Uint8Array>; // sound: a DecompressionStream yields bytes
}

function throughZstd(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const plain = createZstdDecompress();
  pipeline(Readable.from(body), plain, () => {}); // an error destroys `plain`, and with it the iterator
  const chunks: AsyncIterator<Uint8Array> = plain[Symbol.asyncIterator]();
  return new ReadableStream({ // not `Readable.toWeb`: data after its cancellation ends the process (Deno 2.9.6)
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void plain.destroy(),
  }, { highWaterMark: 0 });
}
