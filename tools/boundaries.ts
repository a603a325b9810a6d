import { join } from "node:path";
import { arrows } from "./boundaries/arrows.ts";
import { breachesIn, ringsIn } from "./boundaries/breaches.ts";

/**
 * Holds the arrows of ARCHITECTURE.md: the imports that each folder may have, types included, the
 * words that only one place may use, and the absence of circles. Prints each breach and exits with 1.
 */
const root = new URL("..", import.meta.url).pathname;

function sourceFiles(): string[] {
  const listed = new Deno.Command("git", {
    args: ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"],
    cwd: root,
  }).outputSync();
  return new TextDecoder().decode(listed.stdout).trim().split("\n").filter((path) =>
    !path.startsWith("jsr/") && exists(path)
  );
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(join(root, path)).isFile;
  } catch {
    return false;
  }
}

const texts = new Map(sourceFiles().map((file) => [file, Deno.readTextFileSync(join(root, file))]));
const breaches = [...ringsIn(arrows), ...breachesIn(texts)];
for (const breach of breaches) console.error(breach);
console.log(`boundaries: ${texts.size} files, ${breaches.length} breaches`);
if (breaches.length > 0) Deno.exit(1);
