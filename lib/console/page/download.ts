/** The formats of downloads: media type, file extension and the prefix of the text. */
interface FileType {
  readonly type: string;
  readonly ending: string;
  readonly mark: string;
}

export const fileTypes = {
  /** With a byte-order mark, by which spreadsheets recognize UTF-8. */
  csv: { type: "text/csv; charset=utf-8; header=present", ending: "csv", mark: "\ufeff" },
  jsonl: { type: "application/x-ndjson", ending: "jsonl", mark: "" },
} as const satisfies Record<string, FileType>;

/** Responds with a file download, streamed in constant memory. */
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

/** A file name with the current UTC day. */
export function datedName(name: string, nowMs: number): string {
  return `${name}-${new Date(nowMs).toISOString().slice(0, 10)}`;
}

async function* marked(mark: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  if (mark !== "") yield mark;
  yield* pieces;
}
