/** The folder in `PATH`, or else of these, that has all programs; undefined if none has. */
export function findFolder(
  programs: readonly string[],
  folders: readonly string[] = [],
): string | undefined {
  return [...(Deno.env.get("PATH") ?? "").split(":"), ...folders].find((folder) =>
    programs.every((name) => isFile(`${folder}/${name}`))
  );
}

/** The path of a program in `PATH` or in one of these folders; undefined if none has it. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const folder = findFolder([name], folders);
  return folder && `${folder}/${name}`;
}

/** Returns false if a path has no file. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Waits until a server accepts connections on the loopback. */
export async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`Nothing listens on port ${port}`);
}
