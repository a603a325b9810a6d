/** A failure of the archive itself, such as a full disk, a refusing server or a damaged file. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** The error of a place that cannot write, read or remove a file. */
export function placeError(
  verb: string,
  name: string,
  reason: string,
  cause?: unknown,
): ArchiveError {
  return new ArchiveError(`Cannot ${verb} ${name} in the log's archive: ${reason}`, { cause });
}
