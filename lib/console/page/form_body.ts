import { HttpError } from "fresh";

/** Maximum size of a form, except administrators' forms with lists of models. */
const formBytesMax = 64 * 1024;
/** Maximum size of a form with a list of models. */
export const listFormBytesMax = 4 * 1024 * 1024;
/** Maximum time for sending a form. */
const formTimeoutMs = 30_000;

/**
 * Reads the fields of a posted form of limited size. Throws `HttpError` with 408 on a timeout, and
 * with 413 or 415 for an invalid form.
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
