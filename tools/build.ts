/**
 * Builds the console into `_fresh/`: islands for browsers, and `server.js`, which exports
 * `{ fetch }`. `deno task build` builds always; `buildWhenStale` when a source has changed.
 */
const repository = new URL("..", import.meta.url).pathname;

/** The sources of a build. */
const sources = [
  "app.ts",
  "components",
  "deno.json",
  "islands",
  "jsr/fresh",
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
    if (error instanceof Error && await digestOfBuild(root) !== "") return error;
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

async function isFresh(root: string): Promise<boolean> {
  const digest = await digestOfBuild(root);
  return digest !== "" && digest === await fingerprint(root);
}

/** The digest of the sources of a complete build; empty if there is none. */
async function digestOfBuild(root: string): Promise<string> {
  try {
    return await Deno.readTextFile(noteFile(root));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

async function build(root: string): Promise<void> {
  const madeFrom = await fingerprint(root);
  // An interrupted build must not pass for the previous one.
  await Deno.writeTextFile(noteFile(root), "");
  // Imported lazily: a start without a build needs no bundler.
  const { Builder } = await import("fresh/dev");
  await new Builder({ root, serverEntry: "app.ts" }).build();
  await Deno.writeTextFile(noteFile(root), madeFrom);
}

/** One digest over the names and contents of all sources. */
async function fingerprint(root: string): Promise<string> {
  const files = sources.flatMap((source) => filesIn(`${root}/${source}`)).sort();
  const lines = await Promise.all(files.map(async (file) => {
    const content = await crypto.subtle.digest("SHA-256", Deno.readFileSync(file));
    return `${file.slice(root.length)} ${new Uint8Array(content).toHex()}`;
  }));
  const all = new TextEncoder().encode(lines.join("\n"));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all)).toHex();
}

function filesIn(path: string): string[] {
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
