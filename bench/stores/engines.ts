import { denokvPath, type DenokvServer, startDenokv } from "../../tests/e2e/money/denokv.ts";
import { postgresPrograms, startPostgres } from "../../tests/postgres_server.ts";
import { cpuMicrosOf } from "../process_tree.ts";
import { startCounter } from "./counter.ts";

type Location =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "server"; readonly url: string }
  | { readonly type: "postgres"; readonly url: string };

const storeNames = ["commits", "gateway", "idle"] as const;
type StoreName = (typeof storeNames)[number];

/** A place for stores, each with a name. */
export interface StoreEngine {
  readonly name: string;
  /** An existing folder for a gateway's files. */
  readonly folder: string;
  location(store: StoreName): Location;
  env(store: StoreName): Record<string, string>;
  /** The CPU time of the database's processes so far; 0 within the gateway's process. */
  cpuMicros(): number;
  bytes(store: StoreName): Promise<number>;
  /** The statements, or requests, that it got so far; undefined within the gateway's process. */
  statements(): Promise<number | undefined>;
}

export const secret = "the secret of this measurement";

/** Starts each engine that is installed, and ends them all after the work. */
export async function withEngines(
  work: (engines: readonly StoreEngine[]) => Promise<void>,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folderOf = async (name: string) => {
    const folder = await Deno.makeTempDir({ prefix: `tessera-bench-${name}-` });
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    return folder;
  };
  const engines = [fileEngine(await folderOf("file"))];
  if (denokvPath) engines.push(await denokvEngine(await folderOf("denokv"), stack));
  if (postgresPrograms) engines.push(await postgresEngine(await folderOf("postgres"), stack));
  await work(engines);
}

function fileEngine(folder: string): StoreEngine {
  const pathOf = (store: StoreName) => `${folder}/${store}.db`;
  return {
    name: "file",
    folder,
    location: (store) => ({ type: "file", path: pathOf(store) }),
    env: (store) => ({ TESSERA_KV: pathOf(store) }),
    cpuMicros: () => 0,
    bytes: (store) => sizeOf(pathOf(store)),
    statements: () => Promise.resolve(undefined),
  };
}

/** A server for each store, since it has one file. The idle gateway's counts its requests. */
async function denokvEngine(folder: string, stack: AsyncDisposableStack): Promise<StoreEngine> {
  const servers: DenokvServer[] = [];
  for (const store of storeNames) {
    await Deno.mkdir(`${folder}/${store}`);
    servers.push(stack.use(await startDenokv(`${folder}/${store}`)));
  }
  const serverOf = (store: StoreName) => servers[storeNames.indexOf(store)];
  const counter = stack.use(startCounter(serverOf("idle").location.url));
  return {
    name: "denokv",
    folder,
    location: (store) => serverOf(store).location,
    env: (store) => ({
      ...serverOf(store).env,
      ...store === "idle" && { TESSERA_KV: counter.url },
      TESSERA_SECRET: secret,
    }),
    cpuMicros: () => servers.reduce((sum, { pid }) => sum + cpuMicrosOf(pid), 0),
    bytes: (store) => sizeOf(`${folder}/${store}/denokv.sqlite`),
    statements: () => Promise.resolve(counter.requests),
  };
}

async function postgresEngine(folder: string, stack: AsyncDisposableStack): Promise<StoreEngine> {
  const server = stack.use(
    await startPostgres({ settings: { shared_preload_libraries: "pg_stat_statements" } }),
  );
  await server.run("CREATE EXTENSION pg_stat_statements");
  const postmaster = await Deno.readTextFile(`${server.folder}/data/postmaster.pid`);
  return {
    name: "PostgreSQL",
    folder,
    location: (store) => ({ type: "postgres", url: server.url(store) }),
    env: (store) => ({ TESSERA_KV: server.url(store), TESSERA_SECRET: secret }),
    cpuMicros: () => cpuMicrosOf(parseInt(postmaster)),
    bytes: async (store) =>
      Number(await server.run(`SELECT pg_total_relation_size('"${store}".kv')`)),
    statements: async () =>
      Number(await server.run("SELECT sum(calls) FROM pg_stat_statements WHERE toplevel")),
  };
}

/** A SQLite file with its log of writes. */
async function sizeOf(path: string): Promise<number> {
  const sizes = [path, `${path}-wal`].map((part) =>
    Deno.stat(part).then(({ size }) => size, () => 0)
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
