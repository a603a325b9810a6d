import { HttpError } from "fresh";

/** The largest form of the console but for those of administrators with lists of models. */
const formBytesMax = 64 * 1024;
/** The largest one with a list of models in it, and all that is entered beside them. */
export const listFormBytesMax = 4 * 1024 * 1024;
/** The longest time in which a browser may send a form. */
const formTimeoutMs = 30_000;

/**
 * The fields of a posted form of at most so many bytes. Throws `HttpError` with 408 where it does not
 * come in time, with 413 or 415 where it is none of ours.
 */
export async function readForm(
  request: Request,
  bytesMax = formBytesMax,
  timeoutMs = formTimeoutMs,
): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";", 1)[0].trim().toLowerCase();
  if (request.body === null) return new URLSearchParams();
  if (type !== "application/x-www-form-urlencoded") throw new HttpError(415);
  return new URLSearchParams(await readText(request.body, { bytesMax, timeoutMs }));
}

async function readText(
  body: ReadableStream<Uint8Array>,
  { bytesMax, timeoutMs }: { readonly bytesMax: number; readonly timeoutMs: number },
): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel().catch(() => {});
  }, timeoutMs);
  let text = "";
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      if (bytes > bytesMax) throw new HttpError(413);
      text += decoder.decode(next.value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw new HttpError(408);
  return text + decoder.decode();
}
