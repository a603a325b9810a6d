/** Rollups: usage by subject and step. */
export {
  listAllSubjects,
  listSubjects,
  readCounts,
  readPartCounts,
  readTimes,
  type RollupParts,
  type RollupPeriod,
  type RollupPoint,
} from "./rollup.ts";
export {
  addCounts,
  addTimes,
  type Counts,
  noCounts,
  noTimes,
  positiveCounts,
  subtractCounts,
  sumsOfRows,
  type Times,
} from "./rollup_counts.ts";
export { pruneRollups } from "./rollup_prune.ts";
export { durationBoundsMs, type Histogram, percentile } from "./rollup_histogram.ts";
export {
  type RollupDimension,
  type RollupStep,
  type RollupSubject,
  subjects,
} from "./rollup_subject.ts";
