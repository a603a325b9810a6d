import { dirname } from "node:path";
import { secretChange } from "../api_keys/secret_change.ts";
import { makePrivate, secretPathOf } from "../file/store_files.ts";
import { isSound } from "../file/quick_check.ts";
import { fileError, isEmptyFile, missingFile, StoreFile } from "../file/store_file.ts";
import { StoreHealth } from "../file/store_health.ts";
import { deleteExpired } from "../file/vacuum.ts";
import { Database } from "./database.ts";
import { DenoEngine, type Engine } from "./engine.ts";
import { StoreError } from "./error.ts";
import { checkFormat, checkImported, markFormat } from "./format.ts";
import { type Lock, lockStore } from "./lock.ts";
import { connectKv, RemoteEngine } from "./remote_engine.ts";
import { SecretBox } from "./secret_box.ts";
import { readOrMakeSecret, readSecretIfThere } from "./secret_file.ts";
import { Store } from "./store.ts";
import { retryWhileLocked, WriteLock } from "./write_lock.ts";

/** The location of the store. */
export type StoreLocation =
  /** A local file, used by one process at a time. */
  | { readonly type: "file"; readonly path: string }
  /** In memory, lost when the process ends; for tests and trials. */
  | { readonly type: "memory" }
  /** A KV Connect server, whose token is in `DENO_KV_ACCESS_TOKEN`. */
  | { readonly type: "server"; readonly url: string }
  /** A database of PostgreSQL, `postgres://…`, with its password. */
  | { readonly type: "postgres"; readonly url: string }
  /** The database attached to the deployment. */
  | { readonly type: "attached" };

/** The location of the store, and its settings. */
interface OpenOptions {
  readonly location: StoreLocation;
  /**
   * The secret that encrypts credentials and contents. Without it, a file store creates one and
   * keeps it in a file beside the database.
   */
  readonly secret?: string;
  /** Secrets before it, which still open what they encrypted. */
  readonly formerSecrets?: readonly string[];
  /** Retention of log rows; 90 days by default. */
  readonly logRetentionMs?: number;
  /**
   * Refuses a missing local store instead of creating an empty one, and refuses a damaged one.
   * Creates no secret.
   */
  readonly isAudited?: boolean;
  /** Opens an empty store, or one of an interrupted import, to import into it. */
  readonly isImport?: boolean;
  /** Receives the progress of a step that takes longer than usual. */
  readonly report?: (line: string) => void;
  /** Time limit of an operation of a remote store; four seconds by default. */
  readonly waitMs?: number;
}

const remoteWaitMs = 4_000;

/**
 * Opens the store. Throws `StoreError` with `locked` if another process has it, with `not_found` if
 * its file is missing, and `StoreUnavailable` if the file or its disk is faulty.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { location, secret } = options;
  switch (location.type) {
    case "file":
      return await openFile(location.path, options);
    case "memory":
      return await openMemory({ ...options, secret: secret ?? crypto.randomUUID() });
    case "server":
      return await openRemote(location.url, options);
    case "postgres":
      return await openPostgres(location.url, options);
    case "attached":
      return await openRemote(undefined, options);
    default:
      return location satisfies never;
  }
}

async function openFile(path: string, options: OpenOptions): Promise<Store> {
  const health = new StoreHealth(path);
  try {
    if (options.isAudited && isEmptyFile(path)) throw missingFile(path);
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const lock = await lockStore(path);
    return await openLocked(path, options, { lock, health }).catch((error) => {
      lock.release();
      throw error;
    });
  } catch (error) {
    throw fileError(error, path, health);
  }
}

async function openLocked(
  path: string,
  options: OpenOptions,
  { lock, health }: { readonly lock: Lock; readonly health: StoreHealth },
): Promise<Store> {
  const { secret, formerSecrets, logRetentionMs, report = () => {} } = options;
  const { isAudited = false, isImport = false } = options;
  if (lock.hadStore && isEmptyFile(path)) throw missingFile(path);
  const readSecret = isAudited ? readSecretIfThere : readOrMakeSecret;
  const secretBox = await SecretBox.create(
    secret ?? readSecret(secretPathOf(path)),
    formerSecrets,
  );
  const file = new StoreFile(path);
  const writeLock = new WriteLock(path);
  try {
    await lock.prepare(async () => {
      if (lock.hadStore && !isAudited) await deleteExpired(path, report);
    });
    const notices = makePrivate(path);
    if (isAudited && !isSound(path)) throw health.error("corrupted");
    const opened = await retryWhileLocked(() => Deno.openKv(path));
    const kv = new Database(new DenoEngine(opened, writeLock), health, file);
    lock.noteStore();
    const secretNotices = await checked(kv, { where: path, secretBox, isAudited, isImport });
    return new Store(kv, {
      secretBox,
      sharedByProcesses: false,
      runId: lock.runId,
      logRetentionMs,
      health,
      file,
      notices: [...notices, ...secretNotices],
      onClose: () => {
        writeLock.close();
        lock.release();
      },
    });
  } catch (error) {
    file.close();
    writeLock.close();
    throw error;
  }
}

async function openMemory(options: OpenOptions): Promise<Store> {
  const health = new StoreHealth(":memory:");
  const engine = new DenoEngine(await Deno.openKv(":memory:"));
  return await storeOn(engine, options, { health });
}

async function openRemote(url: string | undefined, options: OpenOptions): Promise<Store> {
  const health = new StoreHealth(url ?? "of the deployment");
  const { waitMs = remoteWaitMs } = options;
  const connect = () => connectKv(url, { health, waitMs });
  return await openConnected({ connect, health, waitMs }, options, url === undefined);
}

async function openPostgres(url: string, options: OpenOptions): Promise<Store> {
  const { PostgresEngine, postgresLocation } = await import("../postgres/mod.ts");
  const location = postgresLocation(url);
  const health = new StoreHealth(location.where);
  const { waitMs = remoteWaitMs, isAudited } = options;
  const connect = () => PostgresEngine.open({ location, health, waitMs, mayCreate: !isAudited });
  const reconnect = () => PostgresEngine.reopen({ location, health, waitMs });
  return await openConnected({ connect, reconnect, health, waitMs }, options);
}

async function openConnected(
  connection: Parameters<typeof RemoteEngine.open>[0],
  options: OpenOptions,
  isMetered = false,
): Promise<Store> {
  demanded(options.secret);
  const remote = await RemoteEngine.open(connection);
  return await storeOn(remote, options, { health: connection.health, remote, isMetered });
}

async function storeOn(
  engine: Engine,
  { secret, formerSecrets, logRetentionMs, isAudited = false, isImport = false }: OpenOptions,
  { health, remote, isMetered }: {
    readonly health: StoreHealth;
    readonly remote?: RemoteEngine;
    readonly isMetered?: boolean;
  },
): Promise<Store> {
  const secretBox = await SecretBox.create(demanded(secret), formerSecrets);
  const { where } = health;
  const kv = new Database(engine, health);
  return new Store(kv, {
    secretBox,
    sharedByProcesses: remote !== undefined,
    isMetered,
    runId: crypto.randomUUID(),
    logRetentionMs,
    health,
    remote,
    notices: await checked(kv, { where, secretBox, isAudited, isImport }),
  });
}

interface CheckOptions {
  /** Names the store for the operator. */
  readonly where: string;
  readonly secretBox: SecretBox;
  readonly isAudited: boolean;
  readonly isImport: boolean;
}

/** Checks an opened database and returns the notices on its secret. Closes it if it is refused. */
async function checked(
  kv: Database,
  { where, secretBox, isAudited, isImport }: CheckOptions,
): Promise<readonly string[]> {
  try {
    await checkFormat(kv, where);
    if (!isImport) await checkImported(kv, where);
    await markFormat(kv);
    return isAudited || isImport ? [] : await secretChange(kv, secretBox);
  } catch (error) {
    kv.close();
    throw error;
  }
}

function demanded(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new StoreError(
    "unreadable",
    "Cannot open the store: TESSERA_SECRET must be set to the same value in all processes that share it",
  );
}
