import * as esbuild from "esbuild";
import { dirname } from "node:path";
import { outlineOf, readSource } from "../../lib/docs/outline.ts";
import { testedDeno } from "../../lib/telemetry/runtime_check.ts";
import { version } from "../../lib/version.ts";
import project from "../../deno.json" with { type: "json" };
import { filesIn } from "../build.ts";
import { listFiles } from "../sources.ts";
import { bundle, type Entries, scriptFolder } from "./bundle.ts";
import { licenseTexts, releasedPackages } from "./sbom.ts";

/** `@tessera/gateway` is `tessera-gateway` on npm, where an organization has other packages. */
export const packageName = project.name.slice(1).replace("/", "-");

/** The commands of the package that do not start it: the operators' tasks of the source tree. */
const commands = [
  ...["cli", "doctor", "backup", "restore", "export", "import", "audit", "log"],
  ...["password", "grant", "codes", "compact"],
] as const;

/** A task's flags, module and first arguments. */
interface Task {
  readonly flags: readonly string[];
  readonly module: string;
  readonly args: readonly string[];
}

function taskOf(command: typeof commands[number]): Task {
  const words = project.tasks[command].split(" ").slice(2); // `deno run`
  const at = words.findIndex((word) => word.endsWith(".ts"));
  return { flags: words.slice(0, at), module: words[at], args: words.slice(at + 1) };
}

function nameOf(module: string): string {
  return module.replace(/^.*\/|\.\w+$/g, "");
}

function entries(): Entries {
  const modules = [
    ...["main.ts", "serve.ts", "_fresh/server.js", "tools/release/start.ts"],
    ...listFiles(["lib/**/*_worker.ts"]),
    ...commands.map((command) => taskOf(command).module),
  ];
  return Object.fromEntries(modules.map((module) => [nameOf(module), module]));
}

/** Writes the npm package into a folder. */
export async function writePackage(folder: string): Promise<void> {
  await bundle({ entries: entries(), outdir: `${folder}/${scriptFolder}`, withCommands });
  await writeLauncher(`${folder}/bin/${packageName}.js`);
  await copyFiles(folder);
  await writeDocuments(folder);
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify(manifest(), null, 2));
  await Deno.writeTextFile(`${folder}/LICENSES.txt`, licenseTexts(releasedPackages()));
}

function manifest() {
  return {
    name: packageName,
    version,
    description: "A model gateway that you host, with exact metering and a web console",
    license: project.license,
    type: "module",
    engines: { node: ">=20" },
    bin: { [packageName]: `bin/${packageName}.js` },
    dependencies: { deno: testedDeno },
    tasks: Object.fromEntries(commands.map((command) => {
      const { flags, module, args } = taskOf(command);
      return [command, [...flags, `${scriptFolder}/${nameOf(module)}.js`, ...args]];
    })),
  };
}

async function writeLauncher(outfile: string): Promise<void> {
  await esbuild.build({
    ...{ entryPoints: ["tools/release/launcher.ts"], outfile, platform: "node", format: "esm" },
    banner: { js: "#!/usr/bin/env node" },
  });
  await esbuild.stop();
  await Deno.chmod(outfile, 0o755);
}

async function copyFiles(folder: string): Promise<void> {
  const built = [...listFiles(["deploy", "static"]), "config.schema.json", "LICENSE", "README.md"];
  const scripts = filesIn("_fresh/static");
  for (const file of [...built, ...scripts]) {
    await Deno.mkdir(dirname(`${folder}/${file}`), { recursive: true });
    await Deno.copyFile(file, `${folder}/${file}`);
  }
}

/** The pages that the gateway serves. */
async function writeDocuments(folder: string): Promise<void> {
  const index = await readSource();
  for (const slug of ["README", ...outlineOf(index).map((page) => page.slug)]) {
    const path = `${folder}/docs/${slug}.md`;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, withCommands(await readSource(slug)));
  }
}

/** A path such as `/bin/deno` belongs to a container or a service, where the source tree is. */
const ownTask = new RegExp(
  `(?<!/)deno task (${["start:parallel", "start", ...commands].join("|")})(?![\\w:])`,
  "g",
);

/** A text that names the package's commands instead of the source tree's tasks. */
function withCommands(text: string): string {
  return text.replaceAll(ownTask, `npx ${packageName} $1`);
}
