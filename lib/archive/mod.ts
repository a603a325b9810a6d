/** The archive of the log: past days in compressed files, read together with the store. */
export { archiveLog } from "./archive_log.ts";
export { startArchive } from "./archiver.ts";
export { ArchiveError, type ArchivePlace, openPlace } from "./place.ts";
export { fileName, readPart } from "./part_file.ts";
export { findCall, type LogSource, readLog } from "./read_log.ts";
