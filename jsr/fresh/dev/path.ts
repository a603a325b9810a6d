import * as path from "node:path";

/** An absolute path with forward slashes. */
export function resolvePath(base: string, to: string): string {
  return path.resolve(base, to).replaceAll("\\", "/");
}

/** The way from one folder to a file, as an import specifier or an address. */
export function relativePath(from: string, to: string): string {
  return path.relative(from, to).replaceAll("\\", "/");
}

export function baseName(file: string): string {
  return path.basename(file, path.extname(file));
}

export function fileUrl(file: string): string {
  return new URL(`file://${file.startsWith("/") ? "" : "/"}${encodeURI(file)}`)
    .href;
}

/** Every file below a folder, sorted; none when the folder is missing. */
export async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      const full = `${folder}/${entry.name}`;
      if (entry.isDirectory) files.push(...await listFiles(full));
      else files.push(full);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files.sort();
}
