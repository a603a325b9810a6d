import process from "node:process";

/** The CPU time of this process in milliseconds, workers included: unlike the clock, other load does not lengthen it. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
