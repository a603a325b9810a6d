import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Builder } from "fresh/dev";
import { buildWhenStale } from "../../tools/build.ts";
import { siteRoot } from "./site.ts";

/** Runs a test with a folder for the build's output, inside the project as builds are. */
async function withOutDir(test: (outDir: string) => Promise<void>): Promise<void> {
  await Deno.mkdir(`${siteRoot}/_fresh`, { recursive: true });
  const outDir = await Deno.makeTempDir({ dir: `${siteRoot}/_fresh` });
  try {
    await test(outDir);
  } finally {
    await Deno.remove(outDir, { recursive: true });
  }
}

function build(outDir: string): Promise<unknown> {
  return new Builder({ root: siteRoot, serverEntry: "app.ts", outDir }).build();
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.map(({ name }) => name).sort();
}

Deno.test("build: server.js serves pages, islands and static files", () =>
  withOutDir(async (outDir) => {
    await build(outDir);
    const { default: server } = await import(`file://${outDir}/server.js`);
    const ask = async (path: string): Promise<string> => {
      const response = await server.fetch(new Request(`http://localhost${path}`));
      assertEquals(response.status, 200);
      return await response.text();
    };
    assertStringIncludes(await ask("/about"), "<h1>about</h1>");
    assertStringIncludes(await ask("/style.css"), "color: green");
    const script = /from "([^"]+Counter\.js)"/.exec(await ask("/live"))?.[1];
    assert(script);
    assertStringIncludes(await ask(script), "import");
  }));

Deno.test("build: one script for each island, Preact in one chunk that all share", () =>
  withOutDir(async (outDir) => {
    await build(outDir);
    const { version } = await import(`file://${outDir}/snapshot.js`);
    const folder = `${outDir}/static/_fresh/js/${version}`;
    const scripts = await namesIn(folder);
    assert(scripts.includes("Counter.js") && scripts.includes("fresh-runtime.js"));
    const texts = await Promise.all(scripts.map((name) => Deno.readTextFile(`${folder}/${name}`)));
    assertEquals(texts.filter((text) => text.includes("http://www.w3.org/2000/svg")).length, 1);
  }));

Deno.test("build: a new build takes away the scripts of the old one", () =>
  withOutDir(async (outDir) => {
    await build(outDir);
    await build(outDir);
    assertEquals((await namesIn(`${outDir}/static/_fresh/js`)).length, 1);
  }));

Deno.test("build: several may run at once", () =>
  withOutDir(async (outDir) => {
    await Promise.all([1, 2, 3, 4].map((n) => build(`${outDir}/${n}`)));
    assertEquals(await namesIn(outDir), ["1", "2", "3", "4"]);
  }));

Deno.test("build: an island that cannot be bundled stops it", () =>
  withOutDir(async (root) => {
    await Deno.mkdir(`${root}/islands`);
    await Deno.writeTextFile(`${root}/islands/Bad.tsx`, `import "./missing.ts";`);
    const builder = new Builder({ root, serverEntry: "app.ts" });
    await assertRejects(() => builder.build({ snapshot: "memory" }), Error, "missing.ts");
  }));

Deno.test("buildWhenStale: builds once, and again only when a source changed", () =>
  withOutDir(async (root) => {
    const app = `${root}/app.ts`;
    await Deno.writeTextFile(app, `import { App } from "fresh";\nexport const app = new App();\n`);
    const built = async () => (await Deno.stat(`${root}/_fresh/snapshot.js`)).mtime?.getTime();
    const both = [buildWhenStale(root), buildWhenStale(root)];
    await Promise.race(both);
    const first = await built();
    await Promise.all(both);
    assertEquals(await built(), first, "the second waits and finds it done");
    await buildWhenStale(root);
    assertEquals(await built(), first);
    await Deno.writeTextFile(app, "// changed\n", { append: true });
    await buildWhenStale(root);
    assert(await built() !== first);
  }));

Deno.test("buildWhenStale: a complete build remains if it cannot be renewed, and none is an error", () =>
  withOutDir(async (root) => {
    const app = `${root}/app.ts`;
    const lock = `${root}/_fresh/build.lock`;
    await Deno.writeTextFile(app, `import { App } from "fresh";\nexport const app = new App();\n`);
    assertEquals(await buildWhenStale(root), undefined);
    const first = await Deno.readTextFile(`${root}/_fresh/snapshot.js`);
    await Deno.remove(lock);
    await Deno.mkdir(lock); // as in a read-only tree, no build can begin
    await Deno.writeTextFile(app, "// changed\n", { append: true });
    assert(await buildWhenStale(root) instanceof Error);
    assertEquals(await Deno.readTextFile(`${root}/_fresh/snapshot.js`), first);
    await Deno.writeTextFile(`${root}/_fresh/sources.sha256`, ""); // interrupted
    await assertRejects(() => buildWhenStale(root), Error);
  }));
