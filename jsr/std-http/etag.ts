/** What is known of a file: enough for a weak tag. */
export interface FileInfo {
  mtime: Date | null;
  size: number;
}

export interface ETagOptions {
  algorithm?: AlgorithmIdentifier;
  weak?: boolean;
}

/** The entity tag of a content, strong by default, or of a file, which is always weak. */
export function eTag(
  entity: string | Uint8Array<ArrayBuffer>,
  options?: ETagOptions,
): Promise<string>;
export function eTag(entity: FileInfo, options?: ETagOptions): Promise<string | undefined>;
export async function eTag(
  entity: string | Uint8Array<ArrayBuffer> | FileInfo,
  { algorithm = "SHA-256", weak = false }: ETagOptions = {},
): Promise<string | undefined> {
  if (typeof entity === "string" || entity instanceof Uint8Array) {
    const bytes = typeof entity === "string" ? new TextEncoder().encode(entity) : entity;
    const tag = `"${bytes.length.toString(16)}-${await digest(bytes, algorithm)}"`;
    return weak ? `W/${tag}` : tag;
  }
  if (entity.mtime === null) return undefined;
  const moment = new TextEncoder().encode(entity.mtime.toJSON());
  return `W/"${entity.size.toString(16)}-${await digest(moment, algorithm)}"`;
}

/** True when the body must be sent, as none of the tags that the client has is the current one. */
export function ifNoneMatch(value: string | null, etag: string | undefined): boolean {
  if (value === null || etag === undefined) return true;
  if (value.trim() === "*") return false;
  const current = withoutWeakness(etag);
  return value.split(",").every((tag) => withoutWeakness(tag.trim()) !== current);
}

async function digest(
  bytes: Uint8Array<ArrayBuffer>,
  algorithm: AlgorithmIdentifier,
): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
  return hash.toBase64().slice(0, 27);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
