import { StoreError } from "./error.ts";

/**
 * Returns the gateway's secret from a file that only its owner may read; creates it at the first
 * start. Isolates that start at the same time get the same secret.
 */
export function readOrMakeSecret(path: string): string {
  return readSecret(path) ?? makeSecret(path);
}

/** Returns the secret of a store that is only inspected. Without a file, it opens nothing. */
export function readSecretIfThere(path: string): string {
  return readSecret(path) ?? crypto.randomUUID();
}

function readSecret(path: string): string | undefined {
  try {
    const secret = Deno.readTextFileSync(path).trim();
    if (secret !== "") return secret;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw unreadable(path, error);
  }
  throw unreadable(path);
}

function makeSecret(path: string): string {
  const secret = crypto.getRandomValues(new Uint8Array(32)).toBase64();
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    Deno.writeTextFileSync(draft, `${secret}\n`, { mode: 0o600, createNew: true });
    Deno.linkSync(draft, path); // atomic, and only the first isolate succeeds
    return secret;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw unreadable(path, error);
    const made = readSecret(path);
    if (made === undefined) throw unreadable(path, error);
    return made;
  } finally {
    removeDraft(draft);
  }
}

function removeDraft(draft: string): void {
  try {
    Deno.removeSync(draft);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function unreadable(path: string, cause?: unknown): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot read the secret ${path}: make it readable and not empty, or set TESSERA_SECRET`,
    { cause },
  );
}
