const ticksPerSecond = 100; // of /proc, whatever the kernel's own rate is

interface Stat {
  readonly parent: number;
  /** Of all threads, and of children that have ended. */
  readonly cpuMicros: number;
}

/** The CPU time that a process, all its threads and its descendants have used, in microseconds. */
export function cpuMicrosOf(pid: number): number {
  return processTree(pid).reduce((sum, member) => sum + (statOf(member)?.cpuMicros ?? 0), 0);
}

/** The resident memory of a process and its descendants, in bytes. */
export function residentBytesOf(pid: number): number {
  return processTree(pid).reduce((sum, member) => {
    const kib = /VmRSS:\s+(\d+)/.exec(readText(`/proc/${member}/status`) ?? "")?.[1] ?? 0;
    return sum + Number(kib) * 1024;
  }, 0);
}

/** A process and its descendants. */
export function processTree(pid: number): number[] {
  const all = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(Boolean);
  const children = Map.groupBy(all, (member) => statOf(member)?.parent ?? 0);
  const tree = [pid];
  for (const member of tree) tree.push(...children.get(member) ?? []);
  return tree;
}

function statOf(pid: number): Stat | undefined {
  const text = readText(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0); // proc(5): utime to cstime
  return { parent: fields[1], cpuMicros: ticks * 1e6 / ticksPerSecond };
}

/** The text of a file; undefined if its process has ended. */
function readText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
