import { dirname, join } from "node:path";
import { reasonOf } from "../telemetry/log.ts";
import { placeError } from "./error.ts";
import type { ArchivePlace } from "./place.ts";

/** Stores files below a folder, readable by their owner only. */
export function folderPlace(folder: string): ArchivePlace {
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
