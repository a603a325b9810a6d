import { HttpError } from "fresh";

/** The largest form of the console, with every list in it full. */
const formBytesMax = 64 * 1024;

/** The fields of a posted form of at most so many bytes. Throws `HttpError` with 413 or 415 where it is none of ours. */
export async function readForm(
  request: Request,
  bytesMax = formBytesMax,
): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";", 1)[0].trim().toLowerCase();
  if (request.body === null) return new URLSearchParams();
  if (type !== "application/x-www-form-urlencoded") throw new HttpError(415);
  return new URLSearchParams(await readText(request.body, bytesMax));
}

async function readText(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new HttpError(413);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
