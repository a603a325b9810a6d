/** The kernel's unit of CPU time, the same on all Linux systems of today. */
const tickMs = 10;

export const isLinux = Deno.build.os === "linux";

/** The CPU time of a process and all of its threads in milliseconds, without its children. */
export async function cpuTimeOf(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [fields[11], fields[12]].map(Number);
  return (user + system) * tickMs;
}
