/** Rollups: usage by subject and step. */
export {
  eachSessionHour,
  hoursAndDays,
  listAllSubjects,
  listSubjects,
  readCounts,
  readPartCounts,
  readTimes,
  type RollupParts,
  type RollupPeriod,
  type RollupPoint,
  type SessionHour,
} from "./rollup.ts";
export { hoursKeptMs, pruneRollups, sessionsPerKeyMax } from "./rollup_prune.ts";
export {
  addCounts,
  addTimes,
  type Counts,
  durationBoundsMs,
  type Histogram,
  marginOf,
  noCounts,
  noTimes,
  percentile,
  positiveCounts,
  subtractCounts,
  sumsOfRows,
  type Times,
} from "./rollup_counts.ts";
export {
  isKnownModel,
  type RollupDimension,
  type RollupStep,
  type RollupSubject,
  subjects,
} from "./rollup_subject.ts";
