const root = new URL("..", import.meta.url);

/** The paths of the files that git knows or would add, without those that are deleted since. */
export function listFiles(patterns: readonly string[]): string[] {
  const { stdout } = new Deno.Command("git", {
    args: [
      "ls-files",
      "--cached",
      "--others",
      "--exclude-standard",
      "--deduplicate",
      "--",
      ...patterns,
    ],
    cwd: root,
  }).outputSync();
  return new TextDecoder().decode(stdout).trim().split("\n").filter(isFile);
}

/** The text of every TypeScript file, by its path; stand-ins left out. */
export function readSources(): ReadonlyMap<string, string> {
  const paths = listFiles(["*.ts", "*.tsx"]).filter((path) => !path.startsWith("jsr/"));
  return new Map(paths.map((path) => [path, Deno.readTextFileSync(new URL(path, root))]));
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, root)).isFile;
  } catch {
    return false;
  }
}
