import { StoreError } from "../kv/error.ts";
import { type StoreFault, storeFaultOf } from "./store_fault.ts";
import type { StoreHealth } from "./store_health.ts";

const magic = "SQLite format 3\0";
const headerBytes = 100;
/** Offsets of the page size and the page count in the header. */
const [pageSizeAt, pageCountAt] = [16, 28];

interface Identity {
  readonly dev: number;
  readonly ino: number | null;
}

/**
 * The file of an open local store, with its side file, which SQLite writes first. It must be opened
 * before SQLite opens it and closed after SQLite: closing it in between would drop SQLite's own
 * locks.
 */
export class StoreFile {
  readonly #file: Deno.FsFile;
  readonly #identities = new Map<string, Identity>();
  #wasShort = false;

  constructor(readonly path: string) {
    this.#file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
    this.#identities.set(path, identityOf(this.#file.statSync()));
  }

  /**
   * Returns the fault of the files on disk. Reads a hundred bytes, synchronously: Deno runs
   * asynchronous operations on a duplicate of the file and closes that, which drops SQLite's locks,
   * so that the next program that closes the database would delete its `-wal` file.
   */
  fault(): StoreFault | undefined {
    return this.displaced() ?? this.#damage();
  }

  /**
   * Returns the fault if the file was deleted or replaced, so that new data would be lost; stats
   * two paths.
   */
  displaced(): StoreFault | undefined {
    return this.#displaced(this.path) ?? this.#displaced(`${this.path}-wal`);
  }

  close(): void {
    this.#file.close();
  }

  /** Registers a side file when first seen; SQLite keeps it until the store is closed. */
  #displaced(path: string): StoreFault | undefined {
    const known = this.#identities.get(path);
    try {
      const found = identityOf(Deno.statSync(path));
      if (known === undefined) this.#identities.set(path, found);
      else if (known.dev !== found.dev || known.ino !== found.ino) return "lost";
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return storeFaultOf(error) ?? "disk_error";
      if (known !== undefined) return "lost";
    }
  }

  /**
   * Reports a file shorter than its header states, but only twice in a row: a checkpoint writes the
   * header first.
   */
  #damage(): StoreFault | undefined {
    const { size } = this.#file.statSync();
    const header = this.#header();
    if (header.length < headerBytes || !startsWith(header, magic)) return "corrupted";
    const view = new DataView(header.buffer);
    const pageSize = view.getUint16(pageSizeAt) === 1 ? 65_536 : view.getUint16(pageSizeAt);
    const isShort = size < pageSize * view.getUint32(pageCountAt);
    const damaged = isShort && this.#wasShort;
    this.#wasShort = isShort;
    return damaged ? "corrupted" : undefined;
  }

  #header(): Uint8Array<ArrayBuffer> {
    this.#file.seekSync(0, Deno.SeekMode.Start);
    const bytes = new Uint8Array(headerBytes);
    return bytes.slice(0, this.#file.readSync(bytes) ?? 0);
  }
}

function identityOf({ dev, ino }: Deno.FileInfo): Identity {
  return { dev, ino };
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, at) => bytes[at] === character.charCodeAt(0));
}

/** Returns true if a file is missing or empty, in which case SQLite would create a new database. */
export function isEmptyFile(path: string): boolean {
  try {
    return Deno.statSync(path).size === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}

/** The error for a file that is missing or empty, which depends on a store having been there. */
export function missingFile(path: string): StoreError {
  if (isEmptyFile(`${path}.lock`)) {
    return new StoreError(
      "not_found",
      `No store at ${path}. Set TESSERA_KV to the gateway's store`,
    );
  }
  return new StoreError(
    "not_found",
    `Cannot open the store ${path}: the file is missing or empty. Restore it from a backup with \`deno task restore FILE\`, or check ` +
      `TESSERA_KV and the disk's mount. To start with an empty store, delete ${path}.lock`,
  );
}

/** Converts errors of the file or its folder to one line; returns any other error unchanged. */
export function fileError(error: unknown, path: string, health: StoreHealth): unknown {
  if (error instanceof StoreError) return error;
  const fault = storeFaultOf(error);
  if (fault) return health.error(fault, error);
  if (!(error instanceof Error) || !/os error/.test(error.message)) return error;
  return new StoreError(
    "unreadable",
    `Cannot open the store ${path}: ${error.message}. TESSERA_KV names a file in a folder that the gateway may write`,
    { cause: error },
  );
}
