import type { Pace } from "../stream/pace.ts";

const sliceBytes = 1024 * 1024;

/**
 * Decodes UTF-8, yielding to other work if the text is long. A byte-order mark is kept. Throws a
 * `TypeError` for bytes that are not UTF-8.
 */
export async function longText(bytes: Uint8Array, pace: Pace): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    text += decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true });
    await pace.giveWay();
  }
  return text + decoder.decode();
}
