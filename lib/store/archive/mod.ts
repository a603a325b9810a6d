/** The store's records of the log's archive, the lease of its writer, and the removal of rows. */
export {
  type ArchivedPart,
  ArchiveLease,
  lastArchivedDay,
  listArchiveParts,
  nextPartNumber,
  setArchivePart,
  unreadArchive,
} from "./archive_records.ts";
export { firstLoggedDay, removeRows } from "./remove_rows.ts";
