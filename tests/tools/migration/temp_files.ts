import { withTempFolder } from "../../store/temp_store.ts";

/** Runs with a folder that holds these files. */
export async function withFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  run: (folder: string) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    for (const [name, content] of Object.entries(files)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${folder}/${name}`, bytes);
    }
    await run(folder);
  });
}
