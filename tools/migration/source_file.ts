import { ImportRefusal } from "../../lib/store/transfer/mod.ts";

/** Reads a small text file. Throws `ImportRefusal` if it is missing, too large or not UTF-8. */
export async function readTextFile(path: string, bytesMax: number): Promise<string> {
  const bytes = await refusing(path, async () => {
    const { size, isFile } = await Deno.stat(path);
    if (!isFile) throw new ImportRefusal(`${path} is not a file`);
    if (size > bytesMax) throw new ImportRefusal(`${path} has more than ${bytesMax} bytes`);
    return await Deno.readFile(path);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ImportRefusal(`${path} is not in UTF-8`, error);
  }
}

/** Runs a reading of a file. Throws `ImportRefusal` if there is no such file. */
export async function refusing<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new ImportRefusal(`there is no file ${path}`, error);
  }
}
