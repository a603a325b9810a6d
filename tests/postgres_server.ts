import { freePort } from "./e2e/server_process.ts";
import { findFolder } from "./programs.ts";

/** The folder of PostgreSQL's programs, or undefined if it is not installed. */
export const postgresPrograms = findPrograms();

if (postgresPrograms === undefined) {
  console.log("PostgreSQL is not installed (apt-get install postgresql): its tests are skipped");
}

const [user, password] = ["tessera", "a password/of:tests"];
/** The passwords of the roles that tests use, by their names. */
export const testRoles: Readonly<Record<string, string>> = { [user]: password, least: "least" };
const database = "tessera";

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  /** The address of a schema, of a new one by default. */
  url(schema?: string, more?: Readonly<Record<string, string>>): string;
  /** Runs statements as the superuser, and returns the lines of their result. */
  run(sql: string): Promise<string>;
  /** Runs a program of PostgreSQL's on the database as the superuser, and returns its output. */
  tool(name: "psql" | "pg_dump", args: readonly string[]): Promise<string>;
  /** Stops the server: `immediate` as a crash does, `fast` as an administrator does. */
  stop(mode: "immediate" | "fast"): Promise<void>;
  /** Kills all its processes. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Sends SIGSTOP (freeze) or SIGCONT to all its processes. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
}

interface StartOptions {
  /** Settings, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** The server that this one follows as a standby. */
  readonly follows?: PostgresServer;
  /** A new folder for the write-ahead log, in segments of one megabyte. */
  readonly walFolder?: string;
}

/** Starts a server with a data folder of its own, which is deleted with it. */
export async function startPostgres(options: StartOptions = {}): Promise<PostgresServer> {
  const folder = await Deno.makeTempDir({ prefix: "postgres_" });
  const owner = serverOwner();
  if (owner) await Deno.chown(folder, owner.uid, owner.gid);
  const port = freePort();
  const data = `${folder}/data`;
  const program = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
    new Deno.Command(`${postgresPrograms}/${name}`, {
      args: [...args],
      cwd: folder,
      env: { LC_ALL: "C", ...env },
      stdin: "null",
      ...owner,
    });
  await makeData(program, { ...options, folder, data });
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    ...options.settings,
  };
  let process: Deno.ChildProcess | undefined;
  const server: PostgresServer = {
    port,
    folder,
    url(schema = `s_${crypto.randomUUID().slice(0, 8)}`, more = {}) {
      const url = new URL(`postgres://127.0.0.1:${port}/${database}`);
      Object.assign(url, { username: user, password: encodeURIComponent(password) });
      url.search = String(new URLSearchParams({ schema, ...more }));
      return url.href;
    },
    run: (sql) => server.tool("psql", ["-AtX", "-v", "ON_ERROR_STOP=1", "-c", sql]),
    async tool(name, args) {
      const to = ["-h", folder, "-p", `${port}`, "-U", user, "-d", database];
      const command = program(name, [...to, ...args], { PGPASSWORD: password });
      const { success, stdout, stderr } = await command.output();
      if (!success) throw new Error(decoder.decode(stderr));
      return decoder.decode(stdout).trim();
    },
    async stop(mode) {
      await program("pg_ctl", ["stop", "-w", "-D", data, "-m", mode]).output();
      await process?.status;
    },
    async kill() {
      const pids = await processesOf(process);
      for (const pid of pids) killIfThere(pid, "SIGKILL");
      await process?.status;
    },
    async start() {
      const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const log = await Deno.open(`${folder}/log`, { create: true, append: true });
      log.close();
      process = new Deno.Command(`${postgresPrograms}/postgres`, {
        args: ["-D", data, ...given],
        cwd: folder,
        env: { LC_ALL: "C" },
        stdin: "null",
        stdout: "null",
        stderr: "null",
        ...owner,
      }).spawn();
      await untilAnswering(program, folder, port);
    },
    async signal(signal) {
      for (const pid of await processesOf(process)) killIfThere(pid, signal);
    },
    async [Symbol.asyncDispose]() {
      await server.signal("SIGCONT");
      await server.stop("immediate");
      await Deno.remove(folder, { recursive: true });
    },
  };
  await server.start();
  if (!options.follows) await createDatabase(program, folder, port);
  return server;
}

const decoder = new TextDecoder();
type Program = (
  name: string,
  args: readonly string[],
  env?: Record<string, string>,
) => Deno.Command;

async function makeData(
  program: Program,
  { folder, data, follows, walFolder }: StartOptions & {
    readonly folder: string;
    readonly data: string;
  },
): Promise<void> {
  if (follows) {
    const from = ["-h", "127.0.0.1", "-p", `${follows.port}`, "-U", user];
    return await succeed(
      program("pg_basebackup", [...from, "-D", data, "-R", "-X", "stream", "-c", "fast"], {
        PGPASSWORD: password,
      }),
    );
  }
  await Deno.writeTextFile(`${folder}/password`, password);
  await Deno.chmod(`${folder}/password`, 0o644);
  await succeed(program("initdb", [
    "-D",
    data,
    "-U",
    user,
    "--no-sync",
    "--auth=scram-sha-256",
    `--pwfile=${folder}/password`,
    "-E",
    "UTF8",
    ...(walFolder === undefined ? [] : [`--waldir=${walFolder}`, "--wal-segsize=1"]),
  ]));
}

async function createDatabase(program: Program, folder: string, port: number): Promise<void> {
  const args = ["-h", folder, "-p", `${port}`, "-U", user, database];
  await succeed(program("createdb", args, { PGPASSWORD: password }));
}

async function succeed(command: Deno.Command): Promise<void> {
  const { success, stderr } = await command.output();
  if (!success) throw new Error(decoder.decode(stderr));
}

async function untilAnswering(program: Program, folder: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { success } = await program("pg_isready", ["-h", folder, "-p", `${port}`]).output();
    if (success) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("PostgreSQL did not start");
}

/** The server's main process and its children. */
async function processesOf(process: Deno.ChildProcess | undefined): Promise<number[]> {
  if (!process) return [];
  const { stdout } = await new Deno.Command("ps", {
    args: ["-o", "pid=", "--ppid", `${process.pid}`],
  }).output();
  return [process.pid, ...decoder.decode(stdout).split(/\s+/).filter(Boolean).map(Number)];
}

function killIfThere(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // it has ended
  }
}

/** PostgreSQL refuses to run as the superuser of the machine; its package brings a user. */
export function serverOwner(): { readonly uid: number; readonly gid: number } | undefined {
  if (Deno.uid() !== 0) return undefined;
  const entry = Deno.readTextFileSync("/etc/passwd").split("\n").find((line) =>
    line.startsWith("postgres:")
  );
  const [, , uid, gid] = entry?.split(":") ?? [];
  return uid === undefined ? { uid: 65534, gid: 65534 } : { uid: Number(uid), gid: Number(gid) };
}

function findPrograms(): string | undefined {
  const versions = listed("/usr/lib/postgresql").map(Number).sort((a, b) => b - a);
  return findFolder(
    ["postgres", "initdb", "psql"],
    versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
  );
}

function listed(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}
