/** JSON values of a given length that cost more than text of that length. */

/** The item repeated with commas, in brackets, of at most `bytes`. */
function repeated(item: string, bytes: number, [open, close] = "[]"): string {
  const count = Math.floor((bytes - 1) / (item.length + 1)) - 1;
  return open + `${item},`.repeat(count) + item + close;
}

function numbered(item: (n: string) => string, bytes: number, [open, close] = "[]"): string {
  const one = item("0000000").length + 1;
  const items = Array.from(
    { length: Math.floor((bytes - 1) / one) },
    (_, n) => item(String(n).padStart(7, "0")),
  );
  return open + items.join() + close;
}

export const heavyValues = {
  "numbers": (bytes) => repeated("1", bytes),
  "floats": (bytes) => repeated("-0.0123456789", bytes),
  "empty strings": (bytes) => repeated('""', bytes),
  "nulls": (bytes) => repeated("null", bytes),
  "blanks": (bytes) => `[${" ".repeat(bytes - 2)}]`,
  "empty arrays": (bytes) => repeated("[]", bytes),
  "empty objects": (bytes) => repeated("{}", bytes),
  "short members": (bytes) => numbered((n) => `"${n}":0`, bytes, "{}"),
  "one string": (bytes) => `"${"lorem ipsum ".repeat((bytes - 2) / 12)}"`,
  "escapes": (bytes) => `"${"\\n".repeat((bytes - 2) / 2)}"`,
  "short strings": (bytes) => repeated('"lorem ipsum"', bytes),
  "deep nesting": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "many strings": (bytes) => repeated(`"${"lorem ".repeat(11)}"`, bytes),
  "many messages": (bytes) =>
    repeated(`{"role":"user","content":"${"lorem ipsum ".repeat(27)}"}`, bytes),
  "numbers and text": (bytes) =>
    `[${repeated("1", 980_000)},"${"lorem ipsum ".repeat((bytes - 980_200) / 12)}"]`,
  "pretty numbers": (bytes) =>
    `[${repeated("\n        1", 4_900_000)},"${"lorem ipsum ".repeat((bytes - 4_900_200) / 12)}"]`,
  "chinese": (bytes) => `"${"你好".repeat((bytes - 2) / 6)}"`,
} as const satisfies Readonly<Record<string, (bytes: number) => string>>;
