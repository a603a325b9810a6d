/** The endings of the files that SQLite keeps beside a database and that belong to its content. */
export const sideEndings = ["-wal", "-shm"] as const;

const endings = ["", ...sideEndings, "-journal", ".lock", ".write-lock"];

/** Every file that a store may have, apart from its secret: its database, SQLite's files, its locks. */
export function storeFiles(path: string): string[] {
  return endings.map((ending) => path + ending);
}
