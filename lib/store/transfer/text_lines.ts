import { ImportRefusal } from "./export.ts";

/** The name of standard input or output in place of a file's. */
const standard = "-";

/** Beyond any line of an export: the values of a store have at most 64 KiB. */
const lineCharsMax = 1024 * 1024;

/**
 * Yields the lines of a file, or of standard input for `-`, which ends in `.gz` if it is compressed.
 * Throws `ImportRefusal` for a missing file, a longer line than an export has, and a damaged file.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const bytes = path === standard ? Deno.stdin.readable : (await opened(path)).readable;
  let rest = "";
  for await (const text of (isCompressed(path) ? decompressed(bytes) : textOf(bytes))) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > lineCharsMax) throw new ImportRefusal("it is not an export of Tessera");
  }
  if (rest !== "") yield rest;
}

async function opened(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new ImportRefusal("there is no such file", error);
  }
}

function textOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<string> {
  return bytes.pipeThrough(new TextDecoderStream());
}

async function* decompressed(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  try {
    yield* textOf(bytes.pipeThrough(new DecompressionStream("gzip")));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // DecompressionStream throws no other
    throw new ImportRefusal(
      "it is not compressed with gzip, or is damaged. Export again, or copy it again",
      error,
    );
  }
}

/**
 * Writes lines to a new file that only its owner may read, or to standard output for `-`;
 * compressed if the name ends in `.gz`. Returns their number.
 */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<number> {
  const isStandard = path === standard;
  using file = isStandard
    ? undefined
    : await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
  let count = 0;
  const counted = joined(lines, () => count++);
  const plain = ReadableStream.from(counted).pipeThrough(new TextEncoderStream());
  const bytes = isCompressed(path) ? plain.pipeThrough(new CompressionStream("gzip")) : plain;
  for await (const chunk of bytes) await writeAll(file ?? Deno.stdout, chunk);
  await file?.sync();
  return count;
}

function isCompressed(path: string): boolean {
  return path.endsWith(".gz");
}

/** A stream of many short texts is slow. */
const joinedCharsMin = 64 * 1024;

async function* joined(
  lines: AsyncIterable<string>,
  count: () => void,
): AsyncGenerator<string> {
  let text = "";
  for await (const line of lines) {
    text += line;
    count();
    if (text.length < joinedCharsMin) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

async function writeAll(
  target: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await target.write(bytes.subarray(at));
}

/** Puts a line feed behind each line, as `writeLines` takes them. */
export async function* withLineFeeds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
