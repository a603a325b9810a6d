import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { StoreError } from "../kv/error.ts";
import { lineBytes, packLines, unpackLines } from "../log/log_lines.ts";
import { newPageId } from "../log/log_page.ts";
import type { Sums } from "./rollup_counts.ts";
import type { CountedFor, RollupSubject } from "./rollup_subject.ts";
import { type CallSum, type HourSum, subjectSums } from "./rollup_sums.ts";

/** The first line of a value of sums that wait to be added to the rollups. */
const head = JSON.stringify({ version: 1 });

type PackedSums = readonly (readonly [name: string, amount: string])[];
type PackedSum =
  | readonly ["calls", CountedFor, hour: string, counts: PackedSums, times: PackedSums]
  | readonly ["subject", RollupSubject, hour: string, counts: PackedSums, times: PackedSums];

/**
 * Adds the sums of calls to a commit. Compaction splits them by subject later, because that takes
 * more room.
 */
export function addWaitingCalls(
  operation: AtomicOperation,
  isolateId: string,
  sums: readonly CallSum[],
): void {
  addLines(
    operation,
    isolateId,
    sums.map(({ counted, ...sum }) => lineOf(["calls", counted, ...packed(sum)])),
  );
}

/** Adds to a commit the sums that still have to be added to their subjects. */
export function addWaitingSubjects(
  operation: AtomicOperation,
  isolateId: string,
  sums: readonly HourSum[],
): void {
  addLines(operation, isolateId, sums.map(subjectLine));
}

/** The bytes of a subject's sum while it waits. */
export function waitingBytes(sum: HourSum): number {
  return lineBytes(subjectLine(sum));
}

/** Decodes the sums of each subject from a waiting value. */
export function unpackWaiting(bytes: Uint8Array): HourSum[] {
  const { head: written, lines } = unpackLines(bytes);
  if (written === head) return lines.flatMap((line) => sumsIn(JSON.parse(line))); // lineOf wrote it
  throw new StoreError(
    "unreadable",
    `Cannot read sums that wait for the rollups: they begin with ${written}, this release reads ${head}`,
  );
}

function addLines(
  operation: AtomicOperation,
  isolateId: string,
  lines: readonly string[],
): void {
  for (const value of packLines(head, lines)) {
    operation.set(keys.waitingSums(isolateId, newPageId()), value);
  }
}

function sumsIn([type, whose, hour, counts, times]: PackedSum): HourSum[] {
  const sum = { hour, counts: unpacked(counts), times: unpacked(times) };
  return type === "calls"
    ? subjectSums([{ counted: whose, ...sum }])
    : [{ subject: whose, ...sum }];
}

function subjectLine({ subject, ...sum }: HourSum): string {
  return lineOf(["subject", subject, ...packed(sum)]);
}

function lineOf(sum: PackedSum): string {
  return JSON.stringify(sum);
}

function packed({ hour, counts, times }: Omit<CallSum, "counted">) {
  return [hour, packSums(counts), packSums(times)] as const;
}

function packSums(sums: Sums): PackedSums {
  return [...sums].map(([name, amount]) => [name, String(amount)]);
}

function unpacked(sums: PackedSums): Sums {
  return new Map(sums.map(([name, amount]) => [name, BigInt(amount)]));
}
