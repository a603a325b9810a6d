import { stop } from "../task_end.ts";

/** Reads `FILE [--force]`. Ends the task if they are missing, or if the file exists without `--force`. */
export function targetFile(task: string, [file, flag, ...more]: readonly string[]): string {
  const isWrong = file === undefined || /^-./.test(file) || more.length > 0 ||
    (flag !== undefined && flag !== "--force");
  if (isWrong) stop(`Usage: deno task ${task} FILE [--force]`);
  if (flag === undefined && isThere(file)) {
    stop(`Cannot write ${file}: it exists. Choose another name, or replace it with --force`);
  }
  return file;
}

function isThere(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
