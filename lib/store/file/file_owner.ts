import { dirname } from "node:path";
import { storeFiles } from "./store_files.ts";

/** The user and group that a file belongs to. */
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
