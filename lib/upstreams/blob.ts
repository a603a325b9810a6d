import { pieceEnd } from "../http/body/long_text.ts";
import { Pace } from "../http/stream/pace.ts";

const pieceLength = 512 * 1024;

/**
 * A long body in pieces, made with turns for other work between them: the runtime encodes and copies
 * any other body at once, and sends this one with its length, too (Deno 2.8.2).
 */
export async function blobOf(body: string | Uint8Array<ArrayBuffer>): Promise<Blob> {
  const pace = new Pace();
  const pieces: Blob[] = [];
  for (let at = 0; at < body.length;) {
    const end = pieceEnd(body, at + pieceLength);
    pieces.push(new Blob([body.slice(at, end)]));
    at = end;
    await pace.giveWay();
  }
  return new Blob(pieces);
}
