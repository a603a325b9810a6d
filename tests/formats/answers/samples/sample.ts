import type { JsonObject } from "../../../../lib/canonical/mod.ts";

/** A whole answer of a vendor, as large as for agents. No value occurs twice by chance. */
export interface Sample {
  readonly name: string;
  readonly wire: JsonObject;
  /** The reason why the vendor cannot stream the same answer; absent if it does. */
  readonly unstreamed?: string;
}

/** Prose of about this size, in several scripts, with everything that Markdown and JSON escape. */
export function prose(subject: string, kilobytes = 1): string {
  const lines: string[] = [];
  for (let size = 0, at = 0; size < kilobytes * 1000; at++) {
    lines.push(
      `${subject} ${at}: the *sum* of \`a[${at}]\` & "b" is <${
        at * 37 + 11
      }>; größer als 数${at} 🙂.`,
    );
    size += lines[at].length;
  }
  return lines.join("\n");
}

/** A program of about this size. */
export function program(subject: string, kilobytes = 1): string {
  const lines: string[] = [];
  for (let size = 0, at = 0; size < kilobytes * 1000; at++) {
    lines.push(`def ${subject}_${at}(x):`, `    return x ** ${at} + len("${subject} \\"${at}\\"")`);
    size += lines.at(-1)?.length ?? 0;
  }
  return lines.join("\n");
}

/** Bytes of a medium of about this size, in base64, different for each subject. */
export function bytes(subject: string, kilobytes = 1): string {
  let state = [...subject].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0;
  const data = Uint8Array.from({ length: kilobytes * 750 }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  return data.toBase64();
}

/** A sealed continuation of about this size. */
export function sealed(subject: string, kilobytes = 1): string {
  return `Eq${bytes(subject, kilobytes)}`;
}

/** A page that a search found. */
export function pageOf(subject: string, at: number): { url: string; title: string } {
  return {
    url: `https://${subject}.example/${at}/a(b)?q=${at * 7}&lang=en#part`,
    title: `${subject} page ${at}: [news] about *${subject}* | site`,
  };
}
