import { basename, dirname, join } from "node:path";

/** The endings of the files that SQLite keeps beside a database and that belong to its content. */
export const sideEndings = ["-wal", "-shm"] as const;

const endings = ["", ...sideEndings, "-journal", ".lock", ".write-lock"];

/** Every file that a store may have, apart from its secret: its database, SQLite's files, its locks. */
export function storeFiles(path: string): string[] {
  return endings.map((ending) => path + ending);
}

interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** The owner of a store's file, or of its folder if there is none yet. Undefined on Windows. */
export function ownerOfStore(path: string): FileOwner | undefined {
  return ownerOf(path) ?? ownerOf(dirname(path));
}

/**
 * Gives the files of a store that a task of root has created to the user of the gateway, which could
 * not open them otherwise. Without root's rights, they stay as they are.
 */
export function giveStoreTo(path: string, owner: FileOwner | undefined): void {
  for (const file of storeFiles(path)) {
    const present = ownerOf(file);
    if (owner === undefined || present === undefined || present.uid === owner.uid) continue;
    try {
      Deno.chownSync(file, owner.uid, owner.gid);
    } catch (error) {
      if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    }
  }
}

function ownerOf(path: string): FileOwner | undefined {
  try {
    const { uid, gid } = Deno.statSync(path);
    return uid === null || gid === null ? undefined : { uid, gid };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The permissions of everyone but the owner. */
const others = 0o077;

/**
 * Removes other users' permissions from the files of a local store, and from its folder if that
 * contains nothing else. Returns a line for the operator for each that stays open. Windows has no
 * such modes.
 */
export function makePrivate(path: string): readonly string[] {
  if (Deno.build.os === "windows") return [];
  const files = [...storeFiles(path), secretPathOf(path)];
  return [...files.map(restricted), folderRestricted(path)].filter((line) => line !== undefined);
}

/** The path of the secret that the gateway created for a local store. */
export function secretPathOf(path: string): string {
  return join(dirname(path), "secret");
}

function folderRestricted(path: string): string | undefined {
  const folder = dirname(path);
  if (openModeOf(folder) === undefined) return undefined;
  const isOurs = [...Deno.readDirSync(folder)].every(({ name }) => isOfStore(name, path));
  if (isOurs) return restricted(folder);
  return leftOpen(folder, "it also contains other files. Give the store a folder of its own");
}

/** Side files and drafts start with the name of the file that they belong to. */
function isOfStore(name: string, path: string): boolean {
  return name.startsWith(basename(path)) || name === "secret" || name.startsWith("secret.");
}

/**
 * Returns a line for the operator if the mode cannot be changed, such as that of a mounted secret.
 */
function restricted(path: string): string | undefined {
  const mode = openModeOf(path);
  if (mode === undefined) return undefined;
  try {
    Deno.chmodSync(path, mode & ~others);
  } catch (error) {
    if (error instanceof Error) return leftOpen(path, error.message);
    throw error;
  }
}

/**
 * Returns the mode if other users have permissions; undefined if they have none, or if there is no
 * file.
 */
function openModeOf(path: string): number | undefined {
  try {
    const mode = (Deno.statSync(path).mode ?? 0) & 0o7777;
    return (mode & others) === 0 ? undefined : mode;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function leftOpen(path: string, reason: string): string {
  const mode = (openModeOf(path) ?? 0).toString(8);
  return `Cannot make ${path} private: other users may open it (mode ${mode}), and ${reason}`;
}
