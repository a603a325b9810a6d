const root = new URL("..", import.meta.url);

/** The text of every TypeScript file that git knows or would add, by its path; stand-ins left out. */
export function readSources(): ReadonlyMap<string, string> {
  const { stdout } = new Deno.Command("git", {
    args: ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"],
    cwd: root,
  }).outputSync();
  const paths = new TextDecoder().decode(stdout).trim().split("\n");
  return new Map(
    paths.filter((path) => !path.startsWith("jsr/")).flatMap((path) => {
      const text = textOf(path);
      return text === undefined ? [] : [[path, text]];
    }),
  );
}

/** Undefined for a file that is deleted but not yet committed. */
function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(new URL(path, root));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
