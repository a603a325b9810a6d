import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { environmentNames } from "../../lib/config/environment.ts";
import {
  codeFolders,
  permissionFlags,
  readableVariables,
  runtimeFlags,
} from "../../tools/start_arguments.ts";

const root = new URL("../..", import.meta.url);

async function printed(task: string, env: Record<string, string>) {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const [, inner = ""] = /\$\(deno (.*)\)$/.exec(tasks[task]) ?? [];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: inner.split(" "),
    cwd: root,
    env: { TESSERA_KV: "", TESSERA_CONFIG: "", ...env },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  return { stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("deno task start passes the permissions, the runtime's flags and the module", async () => {
  const { stdout } = await printed("start", {});
  assertEquals(stdout, [...permissionFlags({}), ...runtimeFlags, "main.ts"].join(" "));
});

Deno.test("deno task start:parallel passes a free address of the loopback for the runtime's listener", async () => {
  const { stdout } = await printed("start:parallel", { HOST: "127.0.0.2", PORT: "8123" });
  const address = ["--parallel", "--host", "127.0.0.1", "--port", "0", "serve.ts"];
  assertEquals(stdout, [...permissionFlags({}), ...runtimeFlags, ...address].join(" "));
});

Deno.test("deno task start refuses a path with spaces and shows the command that takes it", async () => {
  const { stdout, stderr } = await printed("start", { TESSERA_KV: "/srv/two words/tessera.db" });
  assertStringIncludes(stdout, "Deno.exit(1)");
  const [fault = "", command = ""] = stderr.split("\n");
  assertStringIncludes(fault, "the path '/srv/two words' of TESSERA_KV has a space");
  assertStringIncludes(command, "'--allow-write=/srv/two words,_fresh/build.lock'");
});

Deno.test("deno task start names TESSERA_KV if the certificate in it has a space in its path", async () => {
  const TESSERA_KV = "postgres://db/x?sslmode=verify-full&sslrootcert=/srv/two%20words/ca.pem";
  const { stderr } = await printed("start", { TESSERA_KV });
  assertStringIncludes(stderr, "the path '/srv/two words/ca.pem' of TESSERA_KV has a space");
});

Deno.test("deno task start names the folder of the log's archive if it has a space", async () => {
  const folder = await Deno.makeTempDir();
  const TESSERA_CONFIG = `${folder}/config.jsonc`;
  await Deno.writeTextFile(TESSERA_CONFIG, '{ "logArchive": { "folder": "arch ive" } }');
  const { stdout, stderr } = await printed("start", { TESSERA_CONFIG });
  await Deno.remove(folder, { recursive: true });
  assertStringIncludes(stdout, "Deno.exit(1)");
  assertStringIncludes(stderr, "the path 'arch ive' of logArchive.folder has a space");
});

Deno.test("deno task start refuses a store beside the gateway's code, which it could then change", async () => {
  const beside = ["tessera.db", "./lib/../tessera.db", "../tessera.db", "/tessera.db"];
  for (const TESSERA_KV of [...beside, "lib/tessera.db", "node_modules/new/tessera.db"]) {
    const { stdout, stderr } = await printed("start", { TESSERA_KV });
    assertStringIncludes(stdout, "Deno.exit(1)");
    assertStringIncludes(stderr, "holds the gateway's code");
  }
});

Deno.test("deno task start refuses a store in any folder of the repository", async () => {
  const { stdout } = await new Deno.Command("git", {
    args: ["ls-tree", "-d", "--name-only", "HEAD"],
    cwd: root,
  }).output();
  const folders = new TextDecoder().decode(stdout).split("\n").filter(Boolean);
  assertEquals(folders.filter((name) => !codeFolders.includes(name)), []);
});

Deno.test("permissions: every variable of the gateway is readable", () => {
  const isReadable = (name: string) =>
    readableVariables.some((one) =>
      one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name
    );
  assertEquals(environmentNames.filter((name) => !isReadable(name)), []);
});

Deno.test("permissions: the folder of the store, behind its links, and the variables of the file", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${folder}/disk`);
  await Deno.symlink(`${folder}/disk`, `${folder}/data`);
  const file = `${folder}/config.jsonc`;
  await Deno.writeTextFile(file, '{"upstreams": [{"apiKeys": ["${ONE}", "${TWO}"]}]}');
  const flags = permissionFlags({
    TESSERA_KV: `${folder}/data/tessera.db`,
    TESSERA_CONFIG: file,
  });
  await Deno.remove(folder, { recursive: true });
  const valueOf = (flag: string) => flags.find((one) => one.startsWith(`${flag}=`));
  assertEquals(valueOf("--allow-write")?.split("=")[1].split(","), [
    `${folder}/data`,
    `${folder}/disk`,
    "_fresh/build.lock",
  ]);
  assert(valueOf("--allow-env")?.endsWith(",ONE,TWO"));
});

Deno.test("permissions: the folders of token files, which clouds replace behind links", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${folder}/real`);
  await Deno.symlink(`${folder}/real`, `${folder}/eks`);
  const file = `${folder}/config.jsonc`;
  const sources = [
    { type: "aws_web_identity", tokenFile: "${ROOT}/one/token" },
    '{"type": "external_account", "credential_source": {"file": "/two/token"}}',
  ];
  await Deno.writeTextFile(file, JSON.stringify({ upstreams: [{}, { apiKeys: sources }] }));
  const flags = permissionFlags({
    ...{ TESSERA_CONFIG: file, ROOT: folder },
    AWS_WEB_IDENTITY_TOKEN_FILE: `${folder}/eks/token`,
  });
  await Deno.remove(folder, { recursive: true });
  const read = flags.find((flag) => flag.startsWith("--allow-read="))?.split(/[=,]/) ?? [];
  const folders = [`${folder}/eks`, `${folder}/real`, `${folder}/one`, "/two"];
  assertEquals(folders.filter((path) => !read.includes(path)), []);
});

Deno.test("permissions: the folder of the log's archive, also behind a variable", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const file = `${folder}/config.jsonc`;
  await Deno.writeTextFile(file, '{ "logArchive": { "folder": "${ROOT}/archive", }, } // kept');
  const flags = permissionFlags({ TESSERA_CONFIG: file, ROOT: folder });
  const bare = permissionFlags({ TESSERA_CONFIG: file });
  await Deno.remove(folder, { recursive: true });
  for (const flag of ["--allow-read=", "--allow-write="]) {
    const paths = flags.find((one) => one.startsWith(flag))?.slice(flag.length).split(",");
    assert(paths?.includes(`${folder}/archive`), `${paths}`);
    assert(!bare.some((one) => one.startsWith(flag) && one.includes(folder + "/archive")));
  }
});

Deno.test("permissions: the certificate that a store on PostgreSQL names, behind its links", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(`${folder}/real.pem`, "");
  await Deno.symlink(`${folder}/real.pem`, `${folder}/ca.pem`);
  const TESSERA_KV = `postgres://db/tessera?sslmode=verify-full&sslrootcert=${folder}/ca.pem`;
  const flags = permissionFlags({ TESSERA_KV });
  await Deno.remove(folder, { recursive: true });
  const read = flags.find((flag) => flag.startsWith("--allow-read="))?.split(/[=,]/) ?? [];
  assert(
    [`${folder}/ca.pem`, `${folder}/real.pem`].every((path) => read.includes(path)),
    `${read}`,
  );
  assert(flags.includes("--allow-write=_fresh/build.lock"));
});

Deno.test("permissions: no folder for a store in memory or on a denokv server", () => {
  for (const TESSERA_KV of [":memory:", "https://denokv.example.com"]) {
    assert(permissionFlags({ TESSERA_KV }).includes("--allow-write=_fresh/build.lock"));
  }
});

Deno.test("permissions: the tasks that security.md names cannot start programs, the other tools of operators can", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const page = await Deno.readTextFile(new URL("docs/explanation/security.md", root));
  const [, named = ""] = /an operator's tools\. (.*?) may\suse/s.exec(page) ?? [];
  const names = [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const operators = "audit backup codes compact doctor export grant import log password restore";
  const restricted = operators.split(" ").filter((name) =>
    !/-A|--allow-(all|run|ffi)/.test(tasks[name])
  );
  assertEquals(names, restricted);
});
