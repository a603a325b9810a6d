import process from "node:process";

/** The CPU time of this process in milliseconds, workers included: unlike the clock, other load does not lengthen it. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The same of the calling thread alone: test files run in threads of one process. */
export function threadCpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
