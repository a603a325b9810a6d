/** A disk of a few megabytes that a test may fill; the machine's own is never touched. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Takes all of its room. */
  fill(): Promise<void>;
  /** Gives the room back. */
  free(): Promise<void>;
}

const chunkBytes = 4_096;

/** A file system in memory; undefined, with a printed line, where this machine does not let us mount one. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await Deno.makeTempDir();
  const said = await ran("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "none", path]);
  if (said !== undefined) {
    console.log(`skipped: cannot mount a small disk here: ${said}`);
    await Deno.remove(path);
    return undefined;
  }
  return {
    path,
    fill: () => fill(`${path}/ballast`),
    free: () => Deno.remove(`${path}/ballast`),
    [Symbol.asyncDispose]: async () => {
      await ran("umount", ["-l", path]);
      await Deno.remove(path);
    },
  };
}

/** Runs a program; what it said where it failed or is not there. */
export async function ran(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command(program, { args: [...args] }).output();
    return success ? undefined : new TextDecoder().decode(stderr).trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `there is no ${program}`;
    throw error;
  }
}

async function fill(path: string): Promise<void> {
  using file = await Deno.open(path, { create: true, write: true });
  const chunk = new Uint8Array(chunkBytes);
  try {
    for (;;) await file.write(chunk);
  } catch (error) {
    if (!(error instanceof Error) || !/os error 28\b/.test(error.message)) throw error;
  }
}
