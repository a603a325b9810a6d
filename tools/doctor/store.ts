import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../../lib/config.ts";
import { isLoopbackHost } from "../../lib/config/fields.ts";
import { isEmptyFile } from "../../lib/store/file/store_file.ts";
import { lockHolder } from "../../lib/store/kv/lock.ts";
import type { StoreLocation } from "../../lib/store/kv/open.ts";
import { openStore, type Store, storeAdvice } from "../../lib/store/mod.ts";
import type { PostgresFacts } from "../../lib/store/postgres/mod.ts";
import { hasRightSecret, inspectFile } from "../../lib/store/transfer/mod.ts";
import { reasonOf } from "../../lib/telemetry/log.ts";
import { findSecret } from "../store/copied_store.ts";
import { type Check, failed, ok, skipped, warning } from "./check.ts";

const name = "store";

/** The checks of a store, and its upstreams if it can be read. The caller closes `records`. */
interface CheckedStore {
  readonly checks: readonly Check[];
  readonly records?: Store;
  /** True if a gateway uses the local file. */
  readonly isInUse?: boolean;
  /** True if the local file does not exist, or is empty. */
  readonly isMissing?: boolean;
}

/** Checks the configured store without changing it. */
export async function checkStore(config: Config, probe?: DiskProbe): Promise<CheckedStore> {
  const { store: location } = config;
  switch (location.type) {
    case "file":
      return await checkFile(location.path, config, probe);
    case "memory":
      return { checks: [warning(name, "it is in memory", "Set TESSERA_KV, or a stop loses it")] };
    case "attached":
      return { checks: [skipped(name, "only the app itself can reach the deployment's database")] };
    case "server":
      return await checkServer(location, config);
    case "postgres":
      return await checkPostgres(location, config);
    default:
      return location satisfies never;
  }
}

async function checkFile(
  path: string,
  config: Config,
  probe: DiskProbe | undefined,
): Promise<CheckedStore> {
  try {
    if (isEmptyFile(path)) return { checks: missing(path, probe), isMissing: true };
    const holder = lockHolder(path);
    const { size } = Deno.statSync(path);
    const use = holder ? `process ${holder.pid ?? "?"} uses it` : "no gateway uses it";
    const records = await inspectFile(path, findSecret(config).secret);
    const checks = [
      ok(name, `${path} has ${size.toLocaleString("en")} bytes, and ${use}`),
      ...modesOf(path),
      await secretOf(records),
      ...checkDisk(path, size, probe),
    ];
    return { checks, records, isInUse: holder !== undefined };
  } catch (error) {
    return { checks: [faultOf(error)] };
  }
}

/** The first start creates a store, unless there was one before. */
function missing(path: string, probe: DiskProbe | undefined): Check[] {
  const hadOne = !isEmptyFile(`${path}.lock`);
  if (hadOne) {
    const remedy =
      `Restore a backup with \`deno task restore FILE\`, or delete ${path}.lock to start with an empty store`;
    return [failed(name, `${path} is missing or empty`, remedy)];
  }
  const folder = dirname(path);
  const disk = isFolder(folder) ? checkDisk(path, 0, probe) : [];
  return [ok(name, `${path} does not exist yet: the first start creates it`), ...disk];
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Other users could read all records. Windows has no such modes. */
function modesOf(path: string): Check[] {
  const mode = (Deno.statSync(path).mode ?? 0) & 0o777;
  if (Deno.build.os === "windows" || (mode & 0o077) === 0) return [];
  const detail = `other users may open ${path} (mode ${mode.toString(8)})`;
  return [warning(name, detail, `Run \`chmod 600 ${path}\``)];
}

async function secretOf(records: Store): Promise<Check> {
  const isRight = await hasRightSecret(records);
  if (isRight === undefined) return skipped("secret", "the store has sealed nothing yet");
  if (isRight) return ok("secret", "it opens the store's credentials");
  const remedy = "Set the former TESSERA_SECRET, or put the former secret file beside the store";
  return failed("secret", "the store was sealed under another secret", remedy);
}

const roundTripMsGood = 20;

async function checkServer(location: StoreLocation, config: Config): Promise<CheckedStore> {
  try {
    const { secret: key, formerSecrets } = config;
    const records = await openStore({ location, secret: key, formerSecrets, isAudited: true });
    const startedAt = performance.now();
    const secret = await secretOf(records);
    const ms = performance.now() - startedAt;
    const detail = `${records.health.where} answers within ${ms.toFixed(1)} ms`;
    const slow = "Each call waits for one commit: run gateway and server near each other";
    const speed = ms <= roundTripMsGood ? ok(name, detail) : warning(name, detail, slow);
    return { checks: [speed, secret], records };
  } catch (error) {
    return { checks: [faultOf(error)] };
  }
}

async function checkPostgres(
  location: StoreLocation & { readonly type: "postgres" },
  config: Config,
): Promise<CheckedStore> {
  const { inspectPostgres } = await import("../../lib/store/postgres/mod.ts");
  const [checked, facts] = await Promise.all([
    checkServer(location, config),
    inspectPostgres(location.url, inspectMs).catch(() => undefined), // the other check reports it
  ]);
  return {
    ...checked,
    checks: [...checked.checks, ...facts ? checkFacts(facts, location.url) : []],
  };
}

function checkFacts(facts: PostgresFacts, url: string): Check[] {
  const { version, bytes, connections, connectionsMax, standbys } = facts;
  const size = `${bytes.toLocaleString("en")} bytes`;
  const use = `${connections} of ${connectionsMax} connections are in use`;
  const checks = [ok("postgres", `PostgreSQL ${version} holds ${size}, and ${use}`)];
  if (!facts.isDurable) {
    const remedy = "Turn fsync and synchronous_commit on: a crash of its machine loses calls";
    checks.push(
      warning("postgres", "the server confirms commits before they are on its disk", remedy),
    );
  }
  if (standbys > 0n && !facts.isSynchronous) {
    const remedy = "Set synchronous_standby_names: a failover to a standby loses the last calls";
    checks.push(
      warning(
        "postgres",
        `${standbys} standby servers follow without synchronous replication`,
        remedy,
      ),
    );
  }
  if (!facts.isEncrypted && !isLoopbackHost(new URL(url).hostname)) {
    const remedy = "Add sslmode=verify-full to TESSERA_KV, or use a private network";
    checks.push(warning("postgres", "the connection is not encrypted", remedy));
  }
  return checks;
}

const inspectMs = 4_000;

/** The store's own errors say what to do. */
function faultOf(error: unknown): Check {
  const advice = storeAdvice(error) ?? reasonOf(error);
  const remedy = /access token/i.test(advice)
    ? "Set DENO_KV_ACCESS_TOKEN to the token of the server"
    : "docs/how-to/recover-the-store.md has the remedies of every fault";
  return failed(name, advice, remedy);
}

const megabyte = 1024 * 1024;
/** A gateway refuses all calls once its disk is full. */
const [freeBytesMin, freeBytesGood] = [64 * megabyte, 1024 * megabyte];
/** Each call waits for one commit. */
const [commits, commitMsGood] = [5, 30];

/** The measures of a disk, which tests replace. */
interface DiskProbe {
  /** Bytes that the folder's file system still has for this user. */
  readonly freeBytes: (folder: string) => number;
  /** Milliseconds until a small write in the folder is durable. */
  readonly commitMs: (folder: string) => number;
}

/** Checks space and speed of the disk that a store of `storeBytes` is on. */
export function checkDisk(
  path: string,
  storeBytes: number,
  { freeBytes, commitMs }: DiskProbe = { freeBytes: freeBytesOf, commitMs: commitMsOf },
): readonly Check[] {
  const folder = dirname(path);
  return [spaceOf(folder, freeBytes(folder), storeBytes), speedOf(folder, commitMs)];
}

function spaceOf(folder: string, free: number, storeBytes: number): Check {
  const detail = `${megabytes(free)} free in ${folder}, the store has ${megabytes(storeBytes)}`;
  const remedy = "Free space on that disk: the gateway refuses all calls once it is full";
  if (free < freeBytesMin) return failed("disk", detail, remedy);
  if (free < freeBytesGood) return warning("disk", detail, remedy);
  if (free >= storeBytes) return ok("disk", detail);
  return warning("disk", detail, "Free space: `deno task compact` needs as much as the store has");
}

function speedOf(folder: string, commitMs: DiskProbe["commitMs"]): Check {
  try {
    const ms = commitMs(folder);
    const detail = `${ms.toFixed(1)} ms for a durable write of 4 KB in ${folder}`;
    if (ms <= commitMsGood) return ok("disk", detail);
    return warning("disk", detail, "Each call waits for one such write: use a local, faster disk");
  } catch (error) {
    const detail = `cannot write in ${folder}: ${reasonOf(error)}`;
    return failed("disk", detail, "Make the folder writable for the user that runs the gateway");
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The median of several writes, each synchronized with the disk. */
function commitMsOf(folder: string): number {
  const path = `${folder}/.doctor-${crypto.randomUUID()}`;
  using file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
  try {
    const times = Array.from({ length: commits }, () => {
      const startedAt = performance.now();
      file.writeSync(new Uint8Array(4096));
      file.syncSync();
      return performance.now() - startedAt;
    });
    return times.sort((a, b) => a - b)[commits >> 1];
  } finally {
    Deno.removeSync(path);
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / megabyte).toLocaleString("en")} MB`;
}
