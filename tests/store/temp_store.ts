import { openStore, Store } from "../../lib/store/mod.ts";

/** Registers a test twice: on a store in memory and on one in a file of its own. */
export function testOnStores(name: string, run: (store: Store) => Promise<void>): void {
  Deno.test(`${name} (memory)`, () => withMemoryStore(run));
  Deno.test(`${name} (file)`, () => withTempStore(run));
}

export async function withMemoryStore(run: (store: Store) => Promise<void>) {
  const store = await openStore({ location: { type: "memory" } });
  try {
    await run(store);
  } finally {
    store.close();
  }
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
    await Deno.remove(folder, { recursive: true });
  }
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
