import type { LogArchiveSettings } from "../config.ts";
import { folderPlace } from "./folder.ts";
import type { ArchivePlace } from "./place.ts";
import { s3Place } from "./s3.ts";

/** The place that the configuration names. Opens no connection. */
export function openPlace(place: LogArchiveSettings["place"]): ArchivePlace {
  return place.type === "folder" ? folderPlace(place.path) : s3Place(place);
}
