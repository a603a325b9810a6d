import { freePort } from "./e2e/server_process.ts";
import { type PostgresServer, serverOwner, testRoles } from "./postgres_server.ts";
import { findProgram, untilListening } from "./programs.ts";
import { later } from "./waiting.ts";

/** The path of PgBouncer, or undefined if it is not installed. */
export const pgbouncerPath = findProgram("pgbouncer", ["/usr/sbin", "/usr/local/sbin"]);

if (pgbouncerPath === undefined) {
  console.log("PgBouncer is not installed (apt-get install pgbouncer): its tests are skipped");
}

const loginRetryMs = 200;

/** Starts PgBouncer in transaction mode before a server: `url` then leads through it. */
export async function startPgbouncer(
  server: PostgresServer,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<PostgresServer> {
  const folder = await Deno.makeTempDir({ prefix: "pgbouncer_" });
  const owner = serverOwner();
  if (owner) await Deno.chown(folder, owner.uid, owner.gid);
  const port = freePort();
  const users = Object.entries(testRoles).map(([name, password]) => `"${name}" "${password}"\n`);
  await Deno.writeTextFile(`${folder}/users`, users.join(""));
  const lines = Object.entries({
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: `${folder}/users`,
    pool_mode: "transaction",
    default_pool_size: 8,
    server_login_retry: loginRetryMs / 1_000, // 15 s by default
    ...settings,
  }).map(([name, value]) => `${name} = ${value}\n`);
  await Deno.writeTextFile(
    `${folder}/ini`,
    `[databases]\n* = host=127.0.0.1 port=${server.port}\n[pgbouncer]\n${lines.join("")}`,
  );
  const process = new Deno.Command(pgbouncerPath ?? "pgbouncer", {
    args: ["-q", `${folder}/ini`],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "null",
    ...owner,
  }).spawn();
  await untilListening(port);
  return {
    ...server,
    port,
    url: (schema, more) => server.url(schema, more).replace(`:${server.port}/`, `:${port}/`),
    /** Until the retry, PgBouncer reports that it failed to log in. */
    start: () => server.start().then(() => later(2 * loginRetryMs)),
    async [Symbol.asyncDispose]() {
      process.kill("SIGKILL");
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}
