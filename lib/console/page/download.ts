/** The formats of downloads: media type, file extension and the prefix of the text. */
interface FileType {
  readonly type: string;
  readonly ending: string;
  readonly mark: string;
}

export const fileTypes = {
  /** With the mark by which spreadsheets know UTF-8. */
  csv: { type: "text/csv; charset=utf-8; header=present", ending: "csv", mark: "\ufeff" },
  jsonl: { type: "application/x-ndjson", ending: "jsonl", mark: "" },
} as const satisfies Record<string, FileType>;

/** Answers with a file to keep, in pieces as they come: memory does not grow with it. */
export function download(
  name: string,
  pieces: AsyncIterable<string>,
  { type, ending, mark }: FileType = fileTypes.csv,
): Response {
  const text = ReadableStream.from(marked(mark, pieces));
  return new Response(text.pipeThrough(new TextEncoderStream()), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}.${ending}"`,
      "cache-control": "no-store",
    },
  });
}

/** A file's name with the day of UTC that it is of. */
export function datedName(name: string, nowMs: number): string {
  return `${name}-${new Date(nowMs).toISOString().slice(0, 10)}`;
}

async function* marked(mark: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  if (mark !== "") yield mark;
  yield* pieces;
}
