import type { ArchivedPart } from "../store/archive/mod.ts";
import type { CostLine, RequestLogRow } from "../store/log/mod.ts";
import { ArchiveError, type ArchivePlace } from "./place.ts";

/** A file of rows, with what the store records of it. */
export interface PartFile {
  /** JSON lines, newest call first, compressed with gzip. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ids: ReadonlySet<string>;
  readonly facts: Pick<
    ArchivedPart,
    "rows" | "bytes" | "sha256" | "newestId" | "oldestId" | "costNanoUsd" | "upstreamNanoUsd"
  >;
}

/** The name of a part's file, such as `2026/11/21/0001-5e0c3f9a.jsonl.gz`. */
export function fileName({ day, number, attempt }: ArchivedPart): string {
  return `${day.replaceAll("-", "/")}/${String(number).padStart(4, "0")}-${attempt}.jsonl.gz`;
}

/** Creates the random part of a name: 32 bits in hex. */
export function newAttempt(): string {
  return crypto.getRandomValues(new Uint8Array(4)).toHex();
}

/** Bounds the memory of a file, with its rows before compression. */
const textBytesMax = 64 * 1024 * 1024;

/**
 * Writes the first rows into a file, until it has `rowsMax` rows or is large. The same rows give the
 * same bytes. Undefined without rows.
 */
export async function encodePart(
  batches: AsyncIterable<readonly RequestLogRow[]>,
  rowsMax: number,
): Promise<PartFile | undefined> {
  const tally: Tally = {
    ids: new Set(),
    rows: 0,
    textBytes: 0,
    costNanoUsd: 0n,
    upstreamNanoUsd: 0n,
  };
  const text = async function* () {
    for await (const rows of batches) {
      yield encodeRows(rows.slice(0, rowsMax - tally.rows), tally);
      if (tally.rows >= rowsMax || tally.textBytes >= textBytesMax) return;
    }
  };
  const compressed = ReadableStream.from(text()).pipeThrough(new CompressionStream("gzip"));
  const bytes = await new Response(compressed).bytes();
  const { ids, rows, costNanoUsd, upstreamNanoUsd, newestId, oldestId } = tally;
  if (newestId === undefined || oldestId === undefined) return undefined;
  const sums = { rows, costNanoUsd, bytes: bytes.length, sha256: await sha256Of(bytes) };
  const costs = upstreamNanoUsd > 0n && { upstreamNanoUsd };
  return { bytes, ids, facts: { ...sums, ...costs, newestId, oldestId } };
}

/** The sums of a file, which grow with its rows. */
interface Tally {
  readonly ids: Set<string>;
  rows: number;
  textBytes: number;
  costNanoUsd: bigint;
  upstreamNanoUsd: bigint;
  newestId?: string;
  oldestId?: string;
}

const encoder = new TextEncoder();

function encodeRows(rows: readonly RequestLogRow[], tally: Tally): Uint8Array<ArrayBuffer> {
  for (const { id, costNanoUsd = 0n, upstreamCost } of rows) {
    tally.ids.add(id);
    tally.newestId ??= id;
    tally.oldestId = id;
    tally.costNanoUsd += costNanoUsd;
    if (upstreamCost) tally.upstreamNanoUsd += upstreamCost.nanoUsd;
  }
  const bytes = encoder.encode(rows.map((row) => `${rowJson(row)}\n`).join(""));
  tally.rows += rows.length;
  tally.textBytes += bytes.length;
  return bytes;
}

/** Reads a part's file. Throws `ArchiveError` if it is missing or not the one that was written. */
export async function readPart(
  place: ArchivePlace,
  part: ArchivedPart,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await place.get(fileName(part), signal);
  if (bytes.length === part.bytes && await sha256Of(bytes) === part.sha256) return bytes;
  throw new ArchiveError(
    `Cannot read ${fileName(part)} in the log's archive: it has other content than was written`,
  );
}

/** Yields the lines of a file in batches. */
export async function* linesOf(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<string[]> {
  const text = new Blob([bytes]).stream()
    .pipeThrough(new DecompressionStream("gzip")).pipeThrough(new TextDecoderStream());
  let rest = "";
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
}

/** Yields the rows of a file, newest first. */
export async function* rowsOf(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<RequestLogRow> {
  for await (const lines of linesOf(bytes)) yield* lines.map(readRow);
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/**
 * A row as one line of JSON: its fields under their own names, absent ones left out, and amounts as
 * decimal text, because JSON has no integers of that size.
 */
export function rowJson(row: RequestLogRow): string {
  const { costNanoUsd, uncoveredNanoUsd, upstreamCost, costLines, refusedBy } = row;
  return JSON.stringify({
    ...row,
    ...(costNanoUsd !== undefined && { costNanoUsd: String(costNanoUsd) }),
    ...(uncoveredNanoUsd !== undefined && { uncoveredNanoUsd: String(uncoveredNanoUsd) }),
    ...(upstreamCost &&
      { upstreamCost: { ...upstreamCost, nanoUsd: String(upstreamCost.nanoUsd) } }),
    ...(costLines && { costLines: costLines.map(lineWithText) }),
    ...(refusedBy && { refusedBy: { ...refusedBy, ...amountsOf(refusedBy, String) } }),
  });
}

/** Reads a line of `rowJson`. */
export function readRow(line: string): RequestLogRow {
  const row = JSON.parse(line);
  const { upstreamCost, costLines, refusedBy } = row;
  return {
    ...row,
    ...("costNanoUsd" in row && { costNanoUsd: BigInt(row.costNanoUsd) }),
    ...("uncoveredNanoUsd" in row && { uncoveredNanoUsd: BigInt(row.uncoveredNanoUsd) }),
    ...(upstreamCost &&
      { upstreamCost: { ...upstreamCost, nanoUsd: BigInt(upstreamCost.nanoUsd) } }),
    ...(costLines && { costLines: costLines.map(lineWithAmount) }),
    ...(refusedBy && { refusedBy: { ...refusedBy, ...amountsOf(refusedBy, BigInt) } }),
  };
}

type TextLine = Omit<CostLine, "nanoUsd" | "savedNanoUsd"> & {
  readonly nanoUsd: string;
  readonly savedNanoUsd?: string;
};

function lineWithText({ savedNanoUsd, ...line }: CostLine): TextLine {
  return {
    ...line,
    nanoUsd: String(line.nanoUsd),
    ...(savedNanoUsd !== undefined && { savedNanoUsd: String(savedNanoUsd) }),
  };
}

function lineWithAmount({ savedNanoUsd, ...line }: TextLine): CostLine {
  return {
    ...line,
    nanoUsd: BigInt(line.nanoUsd),
    ...(savedNanoUsd !== undefined && { savedNanoUsd: BigInt(savedNanoUsd) }),
  };
}

function amountsOf<From, To>(
  { limit, remaining }: { readonly limit?: From; readonly remaining: From },
  converted: (amount: From) => To,
) {
  return {
    remaining: converted(remaining),
    ...(limit !== undefined && { limit: converted(limit) }),
  };
}
