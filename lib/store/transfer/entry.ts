/** An entry as it moves between stores of any kind. */
export interface PortableEntry {
  readonly key: Deno.KvKey;
  /** A sum, or bytes: those of `encodeValue`, or of a format of their own. */
  readonly value: Uint8Array | Deno.KvU64;
  /** Absent for an entry that never expires. */
  readonly expiresAtMs?: number;
}
