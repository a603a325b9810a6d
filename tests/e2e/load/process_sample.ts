/** A process and its store at one moment. */
export interface ProcessSample {
  /** Resident memory in bytes. */
  readonly resident: number;
  /** Open file descriptors, sockets among them. */
  readonly descriptors: number;
  /** The store's file and its write-ahead log in bytes. */
  readonly stored: number;
}

/** Reads a process from `/proc`. */
export async function sampleProcess(pid: number, storePath: string): Promise<ProcessSample> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const sizes = await Promise.all([storePath, `${storePath}-wal`].map(sizeOf));
  return {
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length,
    stored: sizes.reduce((sum, size) => sum + size),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch {
    return 0; // there is no write-ahead log
  }
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
