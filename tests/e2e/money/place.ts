import { removeFolder } from "../../store/temp_store.ts";

/** A folder of a test's own, gone after it. */
export async function withStoreFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await removeFolder(folder);
  }
}
