import type { Attachment } from "../../lib/playground/mod.ts";

/** The size limit for all files of a message together. */
export const filesBytesMax = 8 * 1024 * 1024;

/** Reads files as attachments. Returns the name of the first file that exceeds the limit. */
export async function readFiles(
  files: readonly File[],
  before: readonly Attachment[],
): Promise<{ readonly added: readonly Attachment[]; readonly tooLarge?: string }> {
  let left = filesBytesMax - before.reduce((sum, { base64 }) => sum + base64.length * 3 / 4, 0);
  const added: Attachment[] = [];
  for (const file of files) {
    left -= file.size;
    if (left < 0) return { added, tooLarge: file.name };
    added.push(await readFile(file));
  }
  return { added };
}

function readFile(file: File): Promise<Attachment> {
  const { promise, resolve, reject } = Promise.withResolvers<Attachment>();
  const reader = new FileReader();
  reader.onerror = () => reject(reader.error);
  reader.onload = () => {
    const [head, base64 = ""] = String(reader.result).split(",");
    const mediaType = /^data:([^;,]+)/.exec(head)?.[1] ?? "application/octet-stream";
    resolve({ name: file.name, mediaType, base64 });
  };
  reader.readAsDataURL(file);
  return promise;
}
