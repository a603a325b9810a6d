import { createHash, type Hash } from "node:crypto";
import { keys } from "../keys.ts";
import { StoreError } from "../kv/error.ts";
import { storeFormat } from "../kv/format.ts";
import { compareKeys } from "../kv/key_codec.ts";
import { encodedJson } from "../kv/value.ts";
import { isOfRecordedContent } from "../recordings/recorded_content.ts";
import { isPackOfRows } from "../log/request_log_pack.ts";
import { entryOf, lineOf, type PortableEntry } from "./entry_line.ts";

/** The first line of an export. */
interface Header {
  readonly tessera: "export";
  /** Of the lines. */
  readonly version: number;
  /** Of the values. */
  readonly format: number;
  readonly at: string;
}

/** The last line. */
interface Footer {
  readonly entries: number;
  /** Of all lines before, with their line feeds. */
  readonly sha256: string;
}

const version = 1;
/** Stores had format 5 before the first release; `importEntries` leaves out what only they have. */
const importable: readonly (number | undefined)[] = [Number(storeFormat), 5];

type Entries = Iterable<PortableEntry> | AsyncIterable<PortableEntry>;

/**
 * Yields the lines of an export, each with its line feed: a header, one for each entry, and a footer
 * with the count and a checksum. Recorded contents of calls are left out: a copy would outlive them.
 */
export async function* exportLines(entries: Entries, nowMs: number): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const hashed = (line: string) => {
    hash.update(line);
    return line;
  };
  const at = new Date(nowMs).toISOString();
  const header: Header = { tessera: "export", version, format: Number(storeFormat), at };
  yield hashed(`${JSON.stringify(header)}\n`);
  let count = 0;
  for await (const entry of entries) {
    if (isOfRecordedContent(entry.key)) continue;
    yield hashed(`${lineOf(entry)}\n`);
    count++;
  }
  const footer: Footer = { entries: count, sha256: hash.digest("hex") };
  yield `${JSON.stringify(footer)}\n`;
}

/** Returns the number of entries of a complete export. Throws `unreadable` for any other text. */
export async function verifyExport(lines: AsyncIterable<string>): Promise<number> {
  const hash = createHash("sha256");
  const check = new EntryCheck();
  let last: string | undefined;
  let count = -2; // the header and the footer are no entries
  for await (const line of withHeader(lines)) {
    if (last !== undefined) hash.update(`${last}\n`);
    if (last !== undefined && count >= 0) check.add(last, count + 2);
    last = line;
    count++;
  }
  if (last === undefined) throw new ImportRefusal("it is empty");
  assertFooter(last, count, hash);
  check.assertReadable();
  return count;
}

/** Yields the lines as they are. Throws `unreadable` at the first one if it is not an export's. */
export async function* withHeader(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isHeader = true;
  for await (const line of lines) {
    if (isHeader) assertHeader(line);
    isHeader = false;
    yield line;
  }
}

/** Yields the entries between header and footer of an export that `verifyExport` accepted. */
export async function* exportedEntries(
  lines: AsyncIterable<string>,
): AsyncGenerator<PortableEntry> {
  let held: string | undefined;
  let isHeader = true;
  for await (const line of lines) {
    if (held !== undefined) yield entryOf(held);
    if (!isHeader) held = line;
    isHeader = false;
  }
}

/** Checks the lines of entries one after the other. */
class EntryCheck {
  #last: Deno.KvKey = [];
  /** The number of the first line that this release cannot read; it may also be damaged. */
  #unreadable: number | undefined;

  add(line: string, number: number): void {
    const { key, value } = readEntry(line, number);
    if (compareKeys(this.#last, key) >= 0) {
      throw new ImportRefusal(`the key in line ${number} does not follow the one before`);
    }
    if (key[0] === keys.importing[0]) throw new ImportRefusal("it is a part of an import");
    if (!isReadable(key, value)) this.#unreadable ??= number;
    this.#last = key;
  }

  assertReadable(): void {
    if (this.#unreadable === undefined) return;
    throw new ImportRefusal(
      `line ${this.#unreadable} has a form of commits before 2026-11-29, which this release cannot read. ` +
        "docs/how-to/back-up.md says what to do",
    );
  }
}

/** Returns false for what only stores from before the first release have. */
function isReadable([first]: Deno.KvKey, value: PortableEntry["value"]): boolean {
  if (first === "log") return false;
  if (value instanceof Deno.KvU64) return !String(first).startsWith("rollup_");
  if (ofVersionTwo.has(first)) return !encodedJson(value)?.startsWith(firstVersion);
  return !holdsRows.has(first) || isPackOfRows(value);
}

const ofVersionTwo: ReadonlySet<Deno.KvKeyPart> = new Set(["user", "api_key", "model"]);
const firstVersion = '{"version":1,';
const holdsRows: ReadonlySet<Deno.KvKeyPart> = new Set([keys.logPages[0], keys.allWaitingRows[0]]);

function readEntry(line: string, number: number): PortableEntry {
  try {
    return entryOf(line);
  } catch (error) {
    throw new ImportRefusal(`line ${number} is not an entry: it is damaged or was changed`, error);
  }
}

function assertHeader(line: string): void {
  const header: Partial<Header> = objectIn(line);
  if (header.tessera !== "export") throw new ImportRefusal("it is not an export of Tessera");
  if (header.version === version && importable.includes(header.format)) return;
  throw new ImportRefusal("another release wrote it. Import it with that release");
}

function assertFooter(line: string, count: number, hash: Hash): void {
  const { entries, sha256 }: Partial<Footer> = objectIn(line);
  if (sha256 === undefined) {
    throw new ImportRefusal("its end is missing. Export again, or copy it again");
  }
  if (entries === count && sha256 === hash.digest("hex")) return;
  throw new ImportRefusal(
    "its checksum does not match: it is damaged or was changed. Export again, or copy it again",
  );
}

/** Returns an empty object for a line that is none. */
function objectIn(line: string): object {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

/** A file that cannot be imported. `reason` follows the file's name and a colon. */
export class ImportRefusal extends StoreError {
  constructor(readonly reason: string, cause?: unknown) {
    super("unreadable", `Cannot import the file: ${reason}`, { cause });
  }
}
