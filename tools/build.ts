import { join } from "node:path";

/**
 * Builds the console into `_fresh/`: islands for browsers, and `server.js`, which exports
 * `{ fetch }`. `deno task build` builds always; `buildWhenStale` when a source has changed.
 */
const repository = join(import.meta.dirname ?? ".", "..");

/** The sources of a build. */
const sources = [
  "app.ts",
  "components",
  "deno.json",
  "islands",
  "jsr/fresh",
  "lib/admin",
  "lib/console",
  "lib/playground",
  "routes",
  "static",
] as const;

/**
 * Builds the console, unless `_fresh/` is up to date with the sources. If that is not possible, such
 * as in a read-only tree, a complete older build remains in use; returns the reason then.
 */
export async function buildWhenStale(root: string = repository): Promise<Error | undefined> {
  if (await isFresh(root)) return;
  try {
    await alone(root, async () => {
      if (!await isFresh(root)) await build(root);
    });
  } catch (error) {
    if (error instanceof Error && (await noteOfBuild(root)).digest !== "") return error;
    throw error;
  }
}

/** Runs the work under a lock, so that concurrent builds wait for the first. */
async function alone(root: string, work: () => Promise<void>): Promise<void> {
  using file = await openLock(root);
  await file.lock(true);
  await work();
}

async function openLock(root: string): Promise<Deno.FsFile> {
  const open = () => Deno.open(`${root}/_fresh/build.lock`, { create: true, write: true });
  try {
    return await open(); // the gateway may write this file, and not create the folder
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await Deno.mkdir(`${root}/_fresh`, { recursive: true });
    return await open();
  }
}

/** The file in which a complete build records the digest of its sources. */
function noteFile(root: string): string {
  return `${root}/_fresh/sources.sha256`;
}

/** The sources of a complete build. */
interface BuildNote {
  /** The digest of their names and contents; empty if there is no complete build. */
  readonly digest: string;
  /** The digest of their names, sizes and times of change, which is quicker to compare. */
  readonly stamp: string;
}

async function isFresh(root: string): Promise<boolean> {
  const { digest, stamp } = await noteOfBuild(root);
  if (digest === "") return false;
  return stamp === await stampOf(root) || digest === await fingerprint(root);
}

async function noteOfBuild(root: string): Promise<BuildNote> {
  try {
    const [digest = "", stamp = ""] = (await Deno.readTextFile(noteFile(root))).split("\n");
    return { digest, stamp };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { digest: "", stamp: "" };
    throw error;
  }
}

async function build(root: string): Promise<void> {
  const note = `${await fingerprint(root)}\n${await stampOf(root)}`;
  // An interrupted build must not pass for the previous one.
  await Deno.writeTextFile(noteFile(root), "");
  await runBuilder(root);
  await Deno.writeTextFile(noteFile(root), note);
}

/** Loads the bundler, which a start without a build does not need. */
async function runBuilder(root: string): Promise<void> {
  const { Builder } = await import("fresh/dev");
  await new Builder({ root, serverEntry: "app.ts", islandDir: "islands/bundles" }).build();
}

async function fingerprint(root: string): Promise<string> {
  const lines = filesOf(root).map(async (file) =>
    `${file.slice(root.length)} ${await digestOf(Deno.readFileSync(file))}`
  );
  return await digestOfText((await Promise.all(lines)).join("\n"));
}

async function stampOf(root: string): Promise<string> {
  const lines = filesOf(root).map((file) => {
    const { size, mtime } = Deno.statSync(file);
    return `${file.slice(root.length)} ${size} ${mtime?.getTime()}`;
  });
  return await digestOfText(lines.join("\n"));
}

function filesOf(root: string): string[] {
  return sources.flatMap((source) => filesIn(`${root}/${source}`)).sort();
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

function digestOfText(text: string): Promise<string> {
  return digestOf(new TextEncoder().encode(text));
}

/** The paths of all files in a folder and below it; of a file, its own. */
export function filesIn(path: string): string[] {
  try {
    if (Deno.statSync(path).isFile) return [path];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return [...Deno.readDirSync(path)].flatMap(({ name }) => filesIn(`${path}/${name}`));
}

if (import.meta.main) {
  const startedAt = performance.now();
  await alone(repository, () => build(repository));
  console.log(`Built the console in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
