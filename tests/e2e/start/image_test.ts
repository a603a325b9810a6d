import { assert, assertEquals, assertMatch } from "@std/assert";
import { permissionFlags, runtimeFlags } from "../../../tools/start_arguments.ts";
import { canRun } from "../../can_run.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { until } from "../../waiting.ts";
import { freePort } from "../server_process.ts";

/**
 * Takes each step of the `Dockerfile` by hand in a folder: copies what `.dockerignore` admits, runs
 * `RUN`, copies into the second stage, and starts `CMD` as another user in a tree that it cannot
 * write; then starts `ExecStart` of the unit in the same tree. Neither a container engine nor
 * systemd is needed, but npm is.
 */

const root = new URL("../../..", import.meta.url).pathname;
const dockerfile = await Deno.readTextFile(`${root}Dockerfile`);
const unit = await Deno.readTextFile(`${root}tessera.service`);
const user = "65532";

const reachesNpm = await isReachable("https://registry.npmjs.org/uqr");
if (!reachesNpm) console.log("npm is not reachable: the steps of the Dockerfile are not tried");
/** Only root can start a process as another user. */
const asUser = Deno.uid() === 0 && await canRun("setpriv")
  ? ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
  : undefined;
if (asUser === undefined) console.log("Not root: the image's user is not tried");

async function isReachable(url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

/** The folders of image and unit by their paths there, inside the test's folder. */
function placed(text: string, folder: string): string {
  return text.replaceAll(/(?<![\w.])\/(app|data|deno-dir|config)\b/g, `${folder}/$1`)
    .replaceAll("/opt/tessera", `${folder}/app`)
    .replaceAll(/\/(?:var|etc)\/(lib|cache|tessera)\b/g, `${folder}/$1`)
    .replaceAll(/(?:\/usr\/local)?\/bin\/deno/g, `${folder}/bin/deno`);
}

function instruction(name: string): string {
  const joined = dockerfile.replaceAll("\\\n", "");
  return new RegExp(`^${name} (.*)$`, "m").exec(joined)?.[1] ?? "";
}

function setting(name: string): string {
  return new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
}

/** The start of a process of the gateway. */
interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The image's `CMD` with the environment of `ENV`. */
function startOfImage(folder: string): Start {
  const args = JSON.parse(placed(instruction("CMD"), folder));
  return { args, env: { ...pairsIn(instruction("ENV"), folder), DENO_DIR: `${folder}/deno-dir` } };
}

function startOfUnit(folder: string): Start {
  const [, ...args] = placed(setting("ExecStart"), folder).split(" ");
  return { args, env: pairsIn(setting("Environment"), folder) };
}

function pairsIn(text: string, folder: string): Record<string, string> {
  return Object.fromEntries(placed(text, folder).split(" ").map((pair) => pair.split("=", 2)));
}

/** The context that Docker would send: every admitted path that is there. */
async function copyContext(folder: string): Promise<string[]> {
  const rules = (await Deno.readTextFile(`${root}.dockerignore`)).split("\n");
  const admitted = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  for (const path of admitted) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await run("cp", ["-r", `${root}${path}`, `${folder}/${path}`]);
  }
  return admitted;
}

async function run(
  command: string,
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    ...options,
    args: [...args],
  })
    .output();
  const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(success, `${command} ${args.join(" ")}: ${said}`);
  return out;
}

Deno.test({
  name:
    "Dockerfile and tessera.service: every step works, nothing else is in the image, and a user that cannot write starts both with the permissions of deno task start",
  ignore: !reachesNpm,
  fn: async () => {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    try {
      await Deno.chmod(folder, 0o755);
      await copyContext(`${folder}/app`);
      await build(folder);
      await assertContents(folder);
      await assertServes(folder, startOfImage(folder));
      await Deno.writeTextFile(`${folder}/app/app.ts`, "// a byte more\n", { append: true });
      const said = await assertServes(folder, startOfImage(folder));
      if (asUser) assertMatch(said, /"level":"warn","message":"The console was built from other/);
      assertEquals(setting("WorkingDirectory"), "/opt/tessera");
      for (const { args, env } of [startOfImage(folder), startOfUnit(folder)]) {
        await assertServes(folder, { args, env: { ...env, ...await configuredIn(folder) } });
      }
    } finally {
      await removeFolder(folder);
    }
  },
});

/** The first stage, with a cache of its own and `deno` on the path. */
async function build(folder: string): Promise<void> {
  const bin = `${folder}/bin`;
  await Deno.mkdir(bin);
  await Deno.copyFile(Deno.execPath(), `${bin}/deno`);
  await Deno.chmod(`${bin}/deno`, 0o755);
  await run("sh", ["-ec", placed(instruction("RUN"), folder)], {
    cwd: `${folder}/app`,
    env: { DENO_DIR: `${folder}/deno-dir`, PATH: `${bin}:${Deno.env.get("PATH")}` },
  });
  const owned = ["data", "lib/tessera", "cache/tessera"].map((path) => `${folder}/${path}`);
  await run("mkdir", ["-p", ...owned]);
  if (asUser) await run("chown", [`${user}:${user}`, ...owned]);
}

/** A file that refers to a variable and to a folder, so that the flags differ from those without it. */
async function configuredIn(folder: string): Promise<Record<string, string>> {
  const TESSERA_CONFIG = `${folder}/config.jsonc`;
  const file = {
    upstreams: [{
      id: "acme",
      endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
      apiKeys: ["${ACME_KEY}"],
      models: ["small"],
    }],
    logArchive: { folder: "${STORE_FOLDER}/archive" },
  };
  await Deno.writeTextFile(TESSERA_CONFIG, JSON.stringify(file));
  return { TESSERA_CONFIG, ACME_KEY: "sk-acme", STORE_FOLDER: `${folder}/lib/tessera` };
}

const mebibyte = 1024;

async function assertContents(folder: string): Promise<void> {
  const app = `${folder}/app`;
  const names = [...Deno.readDirSync(app)].map(({ name }) => name).sort();
  assertEquals(names, [
    ...[
      "LICENSE",
      "README.md",
      "_fresh",
      "app.ts",
      "cli",
      "cli.ts",
      "components",
      "config.schema.json",
    ],
    ...["deno.json", "deno.lock", "docs", "islands", "jsr", "lib", "main.ts", "node_modules"],
    ...["routes", "serve.ts", "static", "tools"],
  ]);
  const files = (await run("find", [app, "-path", `${app}/node_modules`, "-prune", "-o", "-print"]))
    .split("\n").map((path) => path.slice(app.length));
  const secrets = /(^|\/)(\.git|\.env|data|tests|secret)(\/|$)|\.(db|db-wal|key|pem)$|_test\.ts$/;
  assertEquals(files.filter((path) => secrets.test(path)), []);
  const sizeOf = async (path: string) => parseInt(await run("du", ["-sk", path])) / mebibyte;
  const [packages, all, cache] = await Promise.all(
    [`${app}/node_modules`, app, `${folder}/deno-dir`].map(sizeOf),
  );
  const shown = [packages, all, cache].map((size) => `${size.toFixed(0)} MB`);
  const count = [...Deno.readDirSync(`${app}/node_modules/.deno`)]
    .filter(({ name }) => name.includes("@")).length;
  console.log(
    `In the image: /app ${shown[1]}, of it ${count} packages with ${shown[0]}; Deno's cache ${
      shown[2]
    }; in /app ${names.join(", ")}`,
  );
  assert(packages < 108, `${packages} MB of packages`);
}

/** Starts the gateway, until the image's `HEALTHCHECK` succeeds, and returns what it logged. */
async function assertServes(folder: string, start: Start): Promise<string> {
  const port = freePort();
  const env = { ...start.env, HOST: "127.0.0.1", PORT: `${port}` };
  const options = { cwd: `${folder}/app`, clearEnv: true, env };
  const [command, ...args] = [...asUser ?? [], `${folder}/bin/deno`, ...start.args];
  const server = new Deno.Command(command, { args, ...options, stdout: "null", stderr: "piped" })
    .spawn();
  const said = new Response(server.stderr).text();
  const [check, ...checkArgs] = JSON.parse(
    placed(/HEALTHCHECK .*?CMD (.*)$/m.exec(dockerfile)?.[1] ?? "[]", folder),
  );
  const isHealthy = async () =>
    (await new Deno.Command(check, { args: checkArgs, ...options, stderr: "null" }).output())
      .success;
  try {
    await until(isHealthy, "the health check does not succeed", 60_000);
    assertEquals(flagsOf(server.pid), [...permissionFlags(env), ...runtimeFlags, "main.ts"]);
    const page = await fetch(`http://127.0.0.1:${port}/login`);
    await page.body?.cancel();
    assertEquals(page.status, 200);
  } catch (error) {
    await stopped(server);
    throw new Error(await said, { cause: error });
  }
  assertEquals(await stopped(server), 0);
  assertEquals(await isHealthy(), false, "a stopped gateway is not healthy");
  return await said;
}

/** The exit code of the process, which a fault may have ended already. */
async function stopped(server: Deno.ChildProcess): Promise<number> {
  try {
    server.kill("SIGTERM");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return (await server.status).code;
}

/** The flags of the process that serves: the one that was started, or its only child. */
function flagsOf(pid: number): string[] {
  const [child = pid] = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).split(" ")
    .filter(Boolean).map(Number);
  const words = Deno.readTextFileSync(`/proc/${child}/cmdline`).split("\0").slice(0, -1);
  const [, run, ...flags] = words.slice(words.findIndex((word) => word.endsWith("/deno")));
  assertEquals(run, "run");
  return flags.filter((flag) => flag !== "--node-modules-dir=manual");
}
