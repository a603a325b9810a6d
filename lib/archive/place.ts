import { AwsClient } from "aws4fetch";
import { dirname, join } from "node:path";
import type { BucketSettings, LogArchiveSettings } from "../config.ts";
import { reasonOf } from "../telemetry/log.ts";

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

/** A failure of the archive itself, such as a full disk, a refusing server or a damaged file. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

function placeError(
  verb: string,
  name: string,
  reason: string,
  cause?: unknown,
): ArchiveError {
  return new ArchiveError(`Cannot ${verb} ${name} in the log's archive: ${reason}`, { cause });
}

/** The place that the configuration names. Opens no connection. */
export function openPlace(place: LogArchiveSettings["place"]): ArchivePlace {
  return place.type === "folder" ? folderPlace(place.path) : s3Place(place);
}

/** Stores files below a folder, readable by their owner only. */
function folderPlace(folder: string): ArchivePlace {
  const pathOf = (name: string) => join(folder, ...name.split("/"));
  const top = dirname(pathOf("file")); // without the slash that the folder may end in
  return {
    description: `the folder ${folder}`,
    put: (name, { bytes }) =>
      explained("write", name, async () => {
        const path = pathOf(name);
        await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeDurably(temporaryOf(path), bytes);
        await Deno.rename(temporaryOf(path), path);
        await syncFolders(top, dirname(path));
      }),
    get: (name) => explained("read", name, () => readThere(pathOf(name), folder)),
    remove: (name) =>
      explained("remove", name, async () => {
        for (const path of [temporaryOf(pathOf(name)), pathOf(name)]) await removeIfThere(path);
      }),
  };
}

function temporaryOf(path: string): string {
  return `${path}.tmp`;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { create: true, write: true, truncate: true, mode: 0o600 });
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  await file.sync();
}

/** Makes the names of the file and of new folders durable. Windows has no such call. */
async function syncFolders(top: string, lowest: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  for (let path = lowest;; path = dirname(path)) {
    using folder = await Deno.open(path);
    await folder.sync();
    if (path === top || path === dirname(path)) return;
  }
}

async function readThere(path: string, folder: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Deno.readFile(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    const remedy = "Put it back from a copy of the archive, or correct logArchive.folder";
    throw new Error(`the file is missing in the folder ${folder}. ${remedy}`, { cause });
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function explained<Result>(
  verb: string,
  name: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    throw placeError(verb, name, reasonOf(cause), cause);
  }
}

/** Two of them take less time than the writer's lease lasts. */
const requestMs = 120_000;

/** Stores files as objects of a bucket, which is part of each address's path. */
function s3Place(settings: BucketSettings): ArchivePlace {
  const { endpoint, bucket, prefix } = settings;
  const request = requester(settings);
  return {
    description: `the bucket ${bucket} at ${endpoint}`,
    put: async (name, { bytes, sha256 }, signal) => {
      const headers = {
        "content-type": "application/gzip",
        "x-amz-content-sha256": sha256, // the server compares it with the body
      };
      const response = await request("write", prefix + name, {
        ...{ method: "PUT", body: bytes, headers, signal },
      });
      await response.body?.cancel();
    },
    get: async (name, signal) => {
      const response = await request("read", prefix + name, { signal });
      return await response.bytes().catch((cause) => {
        throw placeError("read", prefix + name, reasonOf(cause), cause);
      });
    },
    remove: async (name) => {
      const response = await request("remove", prefix + name, { method: "DELETE" });
      await response.body?.cancel();
    },
  };
}

type Request = Pick<RequestInit, "method" | "body" | "headers" | "signal">;

/** Each request is tried once: the archiver's next pass tries again. */
function requester({ endpoint, bucket, region, accessKeyId, secretAccessKey }: BucketSettings) {
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region },
    service: "s3",
    retries: 0,
  });
  return async (verb: string, name: string, { signal, ...request }: Request): Promise<Response> => {
    const url = `${endpoint}/${bucket}/${name.split("/").map(encodeURIComponent).join("/")}`;
    const limits = [AbortSignal.timeout(requestMs), ...(signal ? [signal] : [])];
    const response = await client.fetch(url, {
      ...request,
      redirect: "error",
      signal: AbortSignal.any(limits),
    }).catch((cause) => {
      throw placeError(verb, name, reasonOf(cause), cause);
    });
    if (response.ok) return response;
    const text = await response.text().catch(() => "");
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
    throw placeError(verb, name, `the server answered ${response.status} ${code ?? ""}`.trimEnd());
  };
}
