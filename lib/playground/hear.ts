import { createParser } from "eventsource-parser";
import type { AnswerPiece, PlaygroundDialect } from "./dialect.ts";
import { parsedJson } from "./json.ts";

/** One read of the answer, as text and as pieces. */
export interface Heard {
  readonly raw: string;
  readonly pieces: readonly AnswerPiece[];
}

/**
 * Reads an answer as it arrives, streamed or not. Throws if the connection breaks, except after the
 * answer's own error: some formats close the connection there.
 */
export async function* hear(response: Response, dialect: PlaygroundDialect): AsyncGenerator<Heard> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || !type.startsWith("text/event-stream")) {
    const raw = await response.text();
    yield { raw, pieces: dialect.readAnswer(parsedJson(raw)) };
    return;
  }
  let pieces: AnswerPiece[] = [];
  let hasFailed = false;
  const onEvent = ({ data }: { data: string }) => {
    pieces.push(...dialect.readEvent(parsedJson(data)));
  };
  const parser = createParser({ onEvent });
  try {
    for await (const raw of textsOf(response.body)) {
      parser.feed(raw);
      hasFailed ||= pieces.some(({ type }) => type === "error");
      yield { raw, pieces };
      pieces = [];
    }
  } catch (broken) {
    if (!hasFailed) throw broken;
  }
}

/** Some browsers cannot iterate over a stream. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield decoder.decode(read.value, { stream: true });
  }
}
