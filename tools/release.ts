import project from "../deno.json" with { type: "json" };
import { version } from "../lib/version.ts";
import { buildWhenStale } from "./build.ts";
import { packageName, writePackage } from "./release/npm_package.ts";
import { inScratch, run } from "./release/run.ts";
import { releasedPackages, sbomOf } from "./release/sbom.ts";
import { stop } from "./task.ts";

const stem = `${packageName}-${version}`;

/** The files that differ from the last commit, one a line. */
function changesIn(folder: string): Promise<string> {
  return run("git", ["status", "--porcelain"], folder);
}

/** Packs the npm package into a folder. Returns the path of the tarball. */
export function packNpm(folder: string): Promise<string> {
  return inScratch(async (staged) => {
    await buildWhenStale();
    await writePackage(staged);
    await run("npm", ["pack", "--silent", "--pack-destination", folder], staged);
    return `${folder}/${stem}.tgz`;
  });
}

/** The installed package with Deno, for a machine of the same kind that reaches no registry. */
function packInstalled(tarball: string, folder: string): Promise<string> {
  return inScratch(async (scratch) => {
    const name = `${stem}-${Deno.build.os}-${Deno.build.arch}`;
    const place = `${scratch}/${name}`;
    await Deno.mkdir(place);
    await run("npm", ["install", "--prefix", place, "--no-audit", "--no-fund", tarball]);
    for (const file of ["package.json", "package-lock.json"]) await Deno.remove(`${place}/${file}`);
    await Deno.symlink(`node_modules/.bin/${packageName}`, `${place}/${packageName}`);
    return await run("tar", ["-czf", `${folder}/${name}.tar.gz`, "-C", scratch, name]);
  });
}

/** The input of `docker build - <FILE`: the Dockerfile, and the files that `.dockerignore` admits. */
async function packImage(folder: string): Promise<void> {
  const rules = (await Deno.readTextFile(".dockerignore")).split("\n");
  const admitted = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  const file = `${folder}/${stem}-image.tar.gz`;
  await run("git", [
    "archive",
    "--output",
    file,
    "HEAD",
    "Dockerfile",
    ".dockerignore",
    ...admitted,
  ]);
}

async function writeSums(folder: string): Promise<void> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const sums = await Promise.all(names.map(async (name) => {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(`${folder}/${name}`));
    return `${new Uint8Array(digest).toHex()}  ${name}\n`;
  }));
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, sums.join(""));
}

/** Builds everything that a release publishes. */
async function release(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder);
  const tarball = await packNpm(folder);
  await packInstalled(tarball, folder);
  await packImage(folder);
  const sbom = sbomOf({ name: packageName, version, license: project.license }, releasedPackages());
  await Deno.writeTextFile(`${folder}/${stem}.cdx.json`, `${sbom}\n`);
  await writeSums(folder);
  for (const { name } of Deno.readDirSync(folder)) {
    const { size } = await Deno.stat(`${folder}/${name}`);
    console.log(`dist/${name}: ${Math.ceil(size / 1000).toLocaleString("en")} kB`);
  }
}

/** `deno task release`: builds a release from a clean tree in `dist/`. */
if (import.meta.main) {
  const [changed = ""] = (await changesIn(Deno.cwd())).split("\n");
  if (changed !== "") {
    stop(
      `Cannot release: ${
        changed.trim().slice(2).trim()
      } is not committed. Commit all changes first`,
    );
  }
  await release(`${Deno.cwd()}/dist`);
}
