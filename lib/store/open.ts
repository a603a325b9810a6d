import { dirname, join } from "node:path";
import { StoreError } from "./error.ts";
import { lockStore } from "./lock.ts";
import { SecretBox } from "./secret_box.ts";
import { readOrMakeSecret } from "./secret_file.ts";
import { Store } from "./store.ts";

/** Where the store lies. */
export type StoreLocation =
  /** A file of this machine, used by one process at a time. */
  | { readonly type: "file"; readonly path: string }
  /** Gone with the process; for tests and trials. */
  | { readonly type: "memory" }
  /** A KV Connect server; its token is in `DENO_KV_ACCESS_TOKEN`. */
  | { readonly type: "server"; readonly url: string }
  /** The database attached to the deployment. */
  | { readonly type: "attached" };

export interface OpenOptions {
  readonly location: StoreLocation;
  /** Seals credentials. A file store without it makes one and keeps it beside the database. */
  readonly secret?: string;
}

/** Opens the store. Throws `StoreError` with `locked` where another process has it. */
export async function openStore({ location, secret }: OpenOptions): Promise<Store> {
  switch (location.type) {
    case "file":
      return await openFile(location.path, secret);
    case "memory":
      return await openWith(":memory:", secret ?? crypto.randomUUID(), false);
    case "server":
      return await openWith(location.url, demanded(secret), true);
    case "attached":
      return await openWith(undefined, demanded(secret), true);
    default:
      return location satisfies never;
  }
}

async function openFile(path: string, secret: string | undefined): Promise<Store> {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const lock = await lockStore(path);
  try {
    const box = await SecretBox.create(secret ?? readOrMakeSecret(join(dirname(path), "secret")));
    return new Store(await Deno.openKv(path), {
      secretBox: box,
      sharedByProcesses: false,
      runId: lock.runId,
      onClose: lock.release,
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openWith(
  path: string | undefined,
  secret: string,
  sharedByProcesses: boolean,
): Promise<Store> {
  const secretBox = await SecretBox.create(secret);
  const kv = await Deno.openKv(path);
  return new Store(kv, { secretBox, sharedByProcesses, runId: crypto.randomUUID() });
}

function demanded(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new StoreError(
    "unreadable",
    "Cannot open the store: TESSERA_SECRET must be set where processes share one, to the same value for all",
  );
}
