/**
 * A place that keeps files by name. Names have slashes, as in `2026/11/21/0001-5e0c3f9a.jsonl.gz`,
 * and none is written twice.
 */
export interface ArchivePlace {
  /** Shown to the operator. Contains no secret. */
  readonly description: string;
  /**
   * Stores a file durably and completely, or not at all. `sha256` is the hex digest of the bytes.
   * Throws `ArchiveError`; the file may then exist all the same.
   */
  readonly put: (
    name: string,
    file: { readonly bytes: Uint8Array<ArrayBuffer>; readonly sha256: string },
    signal?: AbortSignal,
  ) => Promise<void>;
  /** Reads a whole file. Throws `ArchiveError`, also for a missing one. */
  readonly get: (name: string, signal?: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
  /** Removes a file, or what is left of an attempt to write it. */
  readonly remove: (name: string) => Promise<void>;
}
