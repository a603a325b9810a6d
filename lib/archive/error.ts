/** A failure of the archive itself, such as a full disk, a refusing server or a damaged file. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
