import { assertEquals } from "@std/assert";
import { developmentPackages, installedFiles, productionConfig } from "../../tools/install.ts";
import { permissionFlags } from "../../tools/permissions.ts";
import { runtimeFlags } from "../../tools/runtime_flags.ts";

const root = new URL("../..", import.meta.url).pathname;
const read = (path: string) => Deno.readTextFileSync(`${root}${path}`);
const config = JSON.parse(read("deno.json"));

Deno.test(".dockerignore admits the files of an installation and nothing else", () => {
  const rules = read(".dockerignore").split("\n").filter((line) => line && !line.startsWith("#"));
  assertEquals(rules[0], "*");
  assertEquals(rules.slice(1).sort(), installedFiles.map((path) => `!${path}`).sort());
});

Deno.test("installation: the gateway imports every package that stays, and none that goes", () => {
  const imported = new Set(installedFiles.flatMap((path) => [...importsIn(`${root}${path}`)]));
  const isImported = (name: string) =>
    [...imported].some((one) => one === name || one.startsWith(name.replace(/\/?$/, "/")));
  const { imports } = productionConfig(config);
  assertEquals([...developmentPackages].filter(isImported), []);
  assertEquals([...developmentPackages].filter((name) => !(name in config.imports)), []);
  const ofFresh = ["@preact/signals"]; // its stand-in in jsr/ does not import it
  assertEquals(Object.keys(imports).filter((name) => !isImported(name)), ofFresh);
});

/** Modules that hold programs for callers as texts. */
const snippets = /(snippets|client_programs)\.ts$/;

/** All module names in strings after `from`, `import` or `require`. */
function* importsIn(path: string): Iterable<string> {
  if (snippets.test(path)) return;
  if (Deno.statSync(path).isDirectory) {
    for (const { name } of Deno.readDirSync(path)) yield* importsIn(`${path}/${name}`);
  } else if (/\.tsx?$/.test(path)) {
    const text = Deno.readTextFileSync(path);
    const pattern =
      /(?:from|import|import\(|createRequire\(import\.meta\.url\)\()\s*"([^".][^"]*)"/g;
    for (const [, name = ""] of text.matchAll(pattern)) yield name;
  }
}

Deno.test("Dockerfile: the image starts with the permissions of deno task start", () => {
  const [, command = ""] = /^CMD (.*)$/m.exec(read("Dockerfile")) ?? [];
  const env = { TESSERA_KV: "/data/tessera.db", TESSERA_CONFIG: "/config" };
  assertEquals(JSON.parse(command), ["run", ...flagsFor(env), "main.ts"]);
});

Deno.test("tessera.service: the unit starts with the permissions of deno task start", () => {
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(read("tessera.service")) ?? [];
  const env = { TESSERA_KV: "/var/lib/tessera/tessera.db", TESSERA_CONFIG: "/etc/tessera" };
  assertEquals(command.split(" ").slice(1), ["run", ...flagsFor(env), "main.ts"]);
});

/** The process has an environment of its own there, which it may read. */
function flagsFor(env: Record<string, string>): string[] {
  const flags = permissionFlags(env).filter((flag) => flag !== "--ignore-env");
  return [...flags, ...runtimeFlags].map((flag) =>
    flag.startsWith("--allow-env=") ? "--allow-env" : flag
  );
}

const analyzer = "systemd-analyze";
const hasSystemd = await canRun(analyzer);
if (!hasSystemd) console.log(`No ${analyzer} found: the unit is not verified`);

async function canRun(command: string): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(command, {
      args: ["--version"],
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "tessera.service: systemd finds no fault, and rates its exposure below 2",
  ignore: !hasSystemd,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const unit = `${folder}/tessera.service`;
    const text = read("tessera.service")
      .replace("/usr/local/bin/deno", Deno.execPath())
      .replace("/opt/tessera", folder);
    await Deno.writeTextFile(unit, text);
    const ran = async (...args: string[]) => {
      const output = await new Deno.Command(analyzer, { args: [...args, unit] }).output();
      const said = new TextDecoder().decode(output.stdout) +
        new TextDecoder().decode(output.stderr);
      return { ...output, said };
    };
    const verified = await ran("verify");
    const rated = await ran("security", "--offline=true", "--threshold=20");
    await Deno.remove(folder, { recursive: true });
    assertEquals([verified.success, verified.said], [true, ""]);
    assertEquals([rated.success, rated.success ? "" : rated.said], [true, ""]);
  },
});
