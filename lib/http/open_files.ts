/** So many connections are accepted without a look at the limit of open files. */
const unmeasuredMax = 64;
/** For the store, workers, name servers, and connections that are being refused. */
const reserve = 64;
/**
 * A connection, the upstream's of its call, and an idle one of an earlier call: those to the
 * upstreams of other models stay open for a while.
 */
const filesPerConnection = 3;
/** Bounds the time of a look, which blocks: a file takes a few microseconds. */
const openedMax = 1_024;

interface Usage {
  readonly connections: number;
  readonly requests: number;
}

/**
 * Measures how many connections the limit of open files allows. Deno gives no permission to read the
 * limit short of all permissions (2.8.2), so this opens files, each time the connections have
 * doubled, to see whether there is room for twice as many.
 */
export class OpenFiles {
  readonly #connectionsMax: number;
  #max: number;
  #isLimitKnown = false;

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax;
    this.#max = Math.min(unmeasuredMax, connectionsMax);
  }

  /** The maximum connections, and the maximum requests in flight, at the moment. */
  get max(): number {
    return this.#max;
  }

  /** Looks whether there is room for more. Returns true if the maximum has changed. */
  grow({ connections, requests }: Usage): boolean {
    if (this.#isLimitKnown || this.#max >= this.#connectionsMax) return false;
    const next = Math.min(this.#max * 2, this.#connectionsMax);
    const needed = Math.min(filesPerConnection * next - connections + reserve, openedMax);
    const free = freeFiles(needed);
    if (free >= needed) this.#max = next;
    else this.#learn(free, { connections, requests });
    return true;
  }

  /** Looks again: another isolate may have looked at the same moment. */
  measure(usage: Usage): void {
    const free = freeFiles(openedMax);
    if (free < openedMax) this.#learn(free, usage);
    else this.#isLimitKnown = false;
  }

  #learn(free: number, { connections, requests }: Usage): void {
    const fitting = Math.floor((free + connections + requests - reserve) / filesPerConnection);
    this.#isLimitKnown = true;
    this.#max = Math.max(1, Math.min(this.#connectionsMax, fitting));
  }
}

/** The files that can be opened at present, at most `count`. */
function freeFiles(count: number): number {
  const opened: Deno.FsFile[] = [];
  const path = new URL(import.meta.url);
  try {
    while (opened.length < count) opened.push(Deno.openSync(path));
    return count;
  } catch (error) {
    return isOutOfFiles(error) ? opened.length : count; // unmeasured if it may not open its own file
  } finally {
    for (const file of opened) file.close();
  }
}

/** True if the limit of open files of the process or the machine is reached. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "EMFILE" || error.code === "ENFILE");
}
