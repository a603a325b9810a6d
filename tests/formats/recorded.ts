import type { FormatName, JsonValue } from "../../lib/canonical/mod.ts";

/** One recorded case in one format: file name without `.json` → its content. */
export interface Recording {
  readonly name: string;
  readonly format: FormatName;
  readonly files: Readonly<Record<string, JsonValue>>;
}

const folder = Deno.env.get("TESSERA_RECORDED") ??
  new URL("../../../shared/recorded", import.meta.url).pathname;

/** All recorded cases of a format; empty, with a printed notice, if the recordings are missing. */
export function recordingsOf(format: FormatName): Recording[] {
  if (!exists(folder)) {
    console.log(`skipped: no recorded traffic at ${folder} (set TESSERA_RECORDED)`);
    return [];
  }
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort()
    .filter((name) => exists(`${folder}/${name}/${format}`))
    .map((name) => ({ name, format, files: filesIn(`${folder}/${name}/${format}`) }));
}

function filesIn(path: string): Record<string, JsonValue> {
  const files: Record<string, JsonValue> = {};
  for (const { name } of Deno.readDirSync(path)) {
    if (!name.endsWith(".json")) continue;
    files[name.replace(/\.json$/, "")] = JSON.parse(Deno.readTextFileSync(`${path}/${name}`));
  }
  return files;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
