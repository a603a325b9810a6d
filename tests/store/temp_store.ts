import { openStore, Store } from "../../lib/store/mod.ts";

/** `STORE=postgres://…` runs the tests of stores in memory on PostgreSQL instead. */
const postgres = Deno.env.get("STORE");

/** Registers a test twice: on a store in memory and on one in a file of its own. */
export function testOnStores(name: string, run: (store: Store) => Promise<void>): void {
  Deno.test(`${name} (${postgres ? "postgres" : "memory"})`, () => withMemoryStore(run));
  Deno.test({
    name: `${name} (file)`,
    ignore: postgres !== undefined,
    fn: () => withTempStore(run),
  });
}

export async function withMemoryStore(run: (store: Store) => Promise<void>) {
  const store = await openStore(postgres ? onPostgres(postgres) : { location: { type: "memory" } });
  try {
    await run(store);
  } finally {
    store.close();
  }
}

/** A schema of its own, in a database that `tests/store/postgres/run_suites.ts` deletes. */
function onPostgres(base: string): Parameters<typeof openStore>[0] {
  const url = new URL(base);
  url.searchParams.set("schema", `t_${crypto.randomUUID().slice(0, 8)}`);
  url.searchParams.set("pool", "2");
  return { location: { type: "postgres", url: url.href }, secret: "a-secret-of-tests" };
}

export async function withTempStore(run: (store: Store, path: string) => Promise<void>) {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const store = await openStore({ location: { type: "file", path } });
    try {
      await run(store, path);
    } finally {
      store.close();
    }
  });
}

export async function withTempFolder(run: (folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** Removes a folder in which a process that was just ended may still write a last file. */
export async function removeFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if (await Deno.remove(folder, { recursive: true }).then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await Deno.remove(folder, { recursive: true });
}

/** Polls a condition for two seconds. Returns true if it held. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

/** The same store as the next start of the process sees it. */
export function restarted({ kv, secretBox, sharedByProcesses }: Store): Store {
  return new Store(kv, { secretBox, sharedByProcesses, runId: crypto.randomUUID() });
}
