import { dirname, join } from "node:path";
import { StoreError } from "./error.ts";
import { lockStore } from "./lock.ts";
import { patientKv, patiently } from "./patient_kv.ts";
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

/** Where the store is, and what it keeps. */
export interface OpenOptions {
  readonly location: StoreLocation;
  /** Seals credentials. A file store without it makes one and keeps it beside the database. */
  readonly secret?: string;
  /** How long rows of the log are kept, 90 days where it is not stated. */
  readonly logRetentionMs?: number;
}

/** Opens the store. Throws `StoreError` with `locked` where another process has it. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { location, secret } = options;
  switch (location.type) {
    case "file":
      return await openFile(location.path, options);
    case "memory":
      return await openWith(":memory:", { ...options, secret: secret ?? crypto.randomUUID() });
    case "server":
      return await openWith(location.url, options);
    case "attached":
      return await openWith(undefined, options);
    default:
      return location satisfies never;
  }
}

async function openFile(
  path: string,
  { secret, logRetentionMs }: OpenOptions,
): Promise<Store> {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const lock = await lockStore(path);
  try {
    const box = await SecretBox.create(secret ?? readOrMakeSecret(join(dirname(path), "secret")));
    return new Store(patientKv(await patiently(() => Deno.openKv(path))), {
      secretBox: box,
      sharedByProcesses: false,
      runId: lock.runId,
      logRetentionMs,
      onClose: lock.release,
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openWith(
  path: string | undefined,
  { location, secret, logRetentionMs }: OpenOptions,
): Promise<Store> {
  const secretBox = await SecretBox.create(demanded(secret));
  const kv = await Deno.openKv(path);
  const sharedByProcesses = location.type !== "memory";
  return new Store(kv, {
    secretBox,
    sharedByProcesses,
    runId: crypto.randomUUID(),
    logRetentionMs,
  });
}

function demanded(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new StoreError(
    "unreadable",
    "Cannot open the store: TESSERA_SECRET must be set where processes share one, to the same value for all",
  );
}
