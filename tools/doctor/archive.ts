import { dirname, join } from "node:path";
import { fileName, openPlace, readPart } from "../../lib/archive/mod.ts";
import type { Config } from "../../lib/config.ts";
import { type ArchivedPart, listArchiveParts, unreadArchive } from "../../lib/store/archive/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { reasonOf } from "../../lib/telemetry/log.ts";
import { unlessMissing } from "../task.ts";
import { type Check, failed, ok, skipped, warning } from "./check.ts";

const name = "log archive";
const readMsMax = 10_000;

/**
 * Checks that the archive's folder can be written and has the files that the store names, or that a
 * bucket has the newest one.
 */
export async function checkArchive(
  { logArchive }: Pick<Config, "logArchive">,
  records: Store | undefined,
): Promise<Check[]> {
  if (!logArchive) return records ? await unconfigured(records) : [];
  const { place } = logArchive;
  const parts = records ? await listArchiveParts(records) : [];
  const folder = place.type === "folder"
    ? [writableCheck(place.path), ...missingFiles(place.path, parts)]
    : [];
  if (folder.some(({ status }) => status === "failed")) return folder;
  return [...folder, await newestFile(openPlace(place), parts.at(-1))];
}

async function unconfigured(records: Store): Promise<Check[]> {
  const unread = await unreadArchive(records);
  return unread === undefined ? [] : [warning(name, unread, "Set logArchive as it was before")];
}

function writableCheck(folder: string): Check {
  try {
    Deno.removeSync(Deno.makeTempFileSync({ dir: existing(folder), prefix: ".doctor-" }));
    return ok(name, `files can be written in ${folder}`);
  } catch (error) {
    const detail = `cannot write in ${folder}: ${reasonOf(error)}`;
    return failed(name, detail, "Make the folder writable for the user that runs the gateway");
  }
}

/** The folder, or the nearest one above that exists: an archive creates the others. */
function existing(folder: string): string {
  return isThere(folder) || folder === dirname(folder) ? folder : existing(dirname(folder));
}

function missingFiles(folder: string, parts: readonly ArchivedPart[]): Check[] {
  const missing = parts.map(fileName).filter((file) => !isThere(join(folder, file)));
  if (missing.length === 0) return [];
  const detail = `${missing.length} of ${parts.length} files are missing in ${folder}, ` +
    `the first is ${missing[0]}`;
  const remedy = "Put them back from a copy of the archive, or correct logArchive.folder";
  return [failed(name, detail, remedy)];
}

function isThere(path: string): boolean {
  return unlessMissing(() => Deno.statSync(path)) !== undefined;
}

async function newestFile(
  place: ReturnType<typeof openPlace>,
  part: ArchivedPart | undefined,
): Promise<Check> {
  if (part === undefined) return skipped(name, `the store names no file in ${place.description}`);
  try {
    await readPart(place, part, AbortSignal.timeout(readMsMax));
    return ok(name, `${place.description} has ${fileName(part)} as it was written`);
  } catch (error) {
    return failed(name, reasonOf(error), "Check logArchive, and the files with `deno task audit`");
  }
}
