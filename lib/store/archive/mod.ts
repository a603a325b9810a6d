/** The store's records of the log's archive, the lease of its writer, and the removal of rows. */
export {
  type ArchivedPart,
  lastArchivedDay,
  listArchiveParts,
  nextPartNumber,
  setArchivePart,
  unreadArchive,
} from "./archive_part.ts";
export { ArchiveLease } from "./archive_lease.ts";
export { firstLoggedDay, removeRows } from "./remove_rows.ts";
