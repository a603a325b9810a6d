import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { reasonOf } from "../../lib/telemetry/log.ts";
import { type Check, failed, ok, warning } from "./check.ts";

const name = "disk";
const megabyte = 1024 * 1024;
/** A gateway refuses all calls once its disk is full. */
const [freeBytesMin, freeBytesGood] = [64 * megabyte, 1024 * megabyte];
/** Each call waits for one commit. */
const [commits, commitMsGood] = [5, 30];

/** The measures of a disk, which tests replace. */
export interface DiskProbe {
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
  if (free < freeBytesMin) return failed(name, detail, remedy);
  if (free < freeBytesGood) return warning(name, detail, remedy);
  if (free >= storeBytes) return ok(name, detail);
  return warning(name, detail, "Free space: `deno task compact` needs as much as the store has");
}

function speedOf(folder: string, commitMs: DiskProbe["commitMs"]): Check {
  try {
    const ms = commitMs(folder);
    const detail = `${ms.toFixed(1)} ms for a durable write of 4 KB in ${folder}`;
    if (ms <= commitMsGood) return ok(name, detail);
    return warning(name, detail, "Each call waits for one such write: use a local, faster disk");
  } catch (error) {
    const detail = `cannot write in ${folder}: ${reasonOf(error)}`;
    return failed(name, detail, "Make the folder writable for the user that runs the gateway");
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
