/** The value as the messages print it: every level, sorted keys, one member to a line. */
export function inspect(value: unknown): string {
  return Deno.inspect(value, {
    depth: Infinity,
    sorted: true,
    trailingComma: true,
    compact: false,
    iterableLimit: Infinity,
    strAbbreviateSize: Infinity,
    getters: true,
  });
}

/** The lines that differ between two values: `-` marks the actual, `+` the expected. */
export function difference(actual: unknown, expected: unknown): string {
  const lines = compareLines(linesOf(actual), linesOf(expected));
  return `\n\n\n    [Diff] Actual / Expected\n\n\n${lines.join("\n")}\n`;
}

/** Past this many cells the table would cost more than the reader gains from a minimal answer. */
const cellsMax = 4_000_000;

function linesOf(value: unknown): string[] {
  return (typeof value === "string" ? inspectText(value) : inspect(value))
    .split("\n");
}

/** A text keeps its line breaks, so that one changed line shows as one. */
function inspectText(text: string): string {
  return text.split("\n").map((line) => inspect(line).slice(1, -1)).join(
    "\\n\n",
  );
}

function compareLines(actual: string[], expected: string[]): string[] {
  let start = 0;
  while (
    start < actual.length && start < expected.length &&
    actual[start] === expected[start]
  ) {
    start++;
  }
  let end = 0;
  const endMax = Math.min(actual.length, expected.length) - start;
  while (end < endMax && actual.at(-1 - end) === expected.at(-1 - end)) end++;
  return [
    ...actual.slice(0, start).map(kept),
    ...compareMiddle(
      actual.slice(start, actual.length - end),
      expected.slice(start, expected.length - end),
    ),
    ...actual.slice(actual.length - end).map(kept),
  ];
}

function compareMiddle(actual: string[], expected: string[]): string[] {
  if (actual.length * expected.length > cellsMax) {
    return [...actual.map(removed), ...expected.map(added)];
  }
  const table = commonLengths(actual, expected);
  const lines: string[] = [];
  let i = 0, j = 0;
  while (i < actual.length || j < expected.length) {
    if (i < actual.length && j < expected.length && actual[i] === expected[j]) {
      lines.push(kept(actual[i]));
      i++, j++;
    } else if (
      j >= expected.length ||
      (i < actual.length && table[i + 1][j] >= table[i][j + 1])
    ) {
      lines.push(removed(actual[i++]));
    } else {
      lines.push(added(expected[j++]));
    }
  }
  return lines;
}

/** `table[i][j]`: the number of lines that the tails from `i` and `j` share, in order. */
function commonLengths(actual: string[], expected: string[]): Uint32Array[] {
  const table = Array.from(
    { length: actual.length + 1 },
    () => new Uint32Array(expected.length + 1),
  );
  for (let i = actual.length - 1; i >= 0; i--) {
    for (let j = expected.length - 1; j >= 0; j--) {
      table[i][j] = actual[i] === expected[j]
        ? table[i + 1][j + 1] + 1
        : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

const kept = (line: string): string => `    ${line}`;
const removed = (line: string): string => `-   ${line}`;
const added = (line: string): string => `+   ${line}`;
