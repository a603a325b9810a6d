/** Copies of whole stores: backups, and exports that any other store can import. */
export { draftFor, removedAtEnd } from "./draft.ts";
export { exportedEntries, exportLines, ImportRefusal, verifyExport, withHeader } from "./export.ts";
export { fileEntries } from "./file_entries.ts";
export { hasRightSecret } from "../api_keys/secret_change.ts";
export { importEntries, inspectFile } from "./import.ts";
export { restoreStore } from "./restore.ts";
export { snapshotStore } from "./snapshot.ts";
export { exportSteadily } from "./steady_export.ts";
export { readLines, withLineFeeds, writeLines } from "./text_lines.ts";
