import {
  dialects,
  emptyAnswer,
  type PartialAnswer,
  type PlaygroundFormat,
  readAnswerStream,
  withPiece,
} from "../../lib/playground/mod.ts";

/** A stream of events, cut into pieces of so many bytes. */
export function streamOf(events: readonly unknown[], chunkBytes = Infinity): Response {
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const bytes = new TextEncoder().encode(`: waiting\n\n${lines}data: [DONE]\n\n`);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        controller.enqueue(bytes.slice(at, Math.min(bytes.length, at + chunkBytes)));
      }
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Reads a response as the playground does. */
export async function answerIn(
  response: Response,
  format: PlaygroundFormat,
): Promise<PartialAnswer> {
  let answer = emptyAnswer;
  for await (const { pieces } of readAnswerStream(response, dialects[format])) {
    answer = pieces.reduce(withPiece, answer);
  }
  return answer;
}
