/** The requirements for a matching text. */
interface PatternWish {
  readonly lengthMin: number;
  readonly variant: number;
}

const patternCharsMax = 1_000;
const textCharsMax = 10_000;
const nestingMax = 32;

/**
 * The shortest plain text that matches a regular expression and has the required length. Undefined
 * for lookarounds, back references and word boundaries.
 */
export function textOfPattern(pattern: string, wish: PatternWish): string | undefined {
  if (pattern.length > patternCharsMax) return undefined;
  const shortest = new PatternReader(pattern, 0, wish.variant).read();
  if (shortest === undefined || shortest.length >= wish.lengthMin) return shortest;
  const longer = new PatternReader(pattern, wish.lengthMin - shortest.length, wish.variant).read();
  return longer !== undefined && !pattern.endsWith("$")
    ? longer.padEnd(wish.lengthMin, "x")
    : longer;
}

/** Reads a pattern once and writes a text that matches it, with the fewest repetitions. */
class PatternReader {
  #at = 0;
  #failed = false;
  #nesting = 0;

  constructor(
    readonly pattern: string,
    /** Characters that open-ended repetitions still have to add. */
    private missing: number,
    readonly variant: number,
  ) {}

  read(): string | undefined {
    const text = this.#alternatives();
    return this.#failed || this.#at < this.pattern.length ? undefined : text;
  }

  #alternatives(): string {
    const text = this.#sequence();
    while (this.#take("|")) {
      const missing = this.missing;
      this.#sequence();
      this.missing = missing;
    }
    return text;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.pattern.length && !this.#failed && !/[|)]/.test(this.#peek())) {
      text += this.#repeated(this.#atom());
      if (text.length > textCharsMax) this.#failed = true;
    }
    return text;
  }

  #atom(): string {
    const char = this.#next();
    switch (char) {
      case "^":
      case "$":
        return "";
      case ".":
        return "a";
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        return this.#fail();
      default:
        return char;
    }
  }

  #group(): string {
    if (this.#take("?") && !this.#take(":") && !this.#match(/^<[A-Za-z_]\w*>/)) return this.#fail();
    if (++this.#nesting > nestingMax) return this.#fail();
    const text = this.#alternatives();
    this.#nesting--;
    return this.#take(")") ? text : this.#fail();
  }

  #repeated(text: string): string {
    const range = this.#quantifier();
    this.#take("?");
    if (!range) return text;
    const [least, most] = range;
    const wanted = text === "" ? 0 : Math.ceil(this.missing / text.length);
    const added = Math.max(0, Math.min(wanted, most - least));
    if ((least + added) * text.length > textCharsMax) return this.#fail();
    this.missing -= added * text.length;
    return text.repeat(least + added);
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    const found = this.#match(/^\{(\d{1,5})(,)?(\d{1,5})?\}/);
    if (!found) return undefined;
    const [, least, comma, most] = found;
    return [Number(least), comma ? Number(most ?? Infinity) : Number(least)];
  }

  #class(): string {
    const negated = this.#take("^");
    const ranges: [string, string][] = [];
    while (this.#at < this.pattern.length && !this.#take("]")) {
      const first = this.#classChar();
      const last = this.#match(/^-(?!\])/) ? this.#classChar() : first;
      ranges.push([first, last]);
    }
    return negated ? this.#outside(ranges) : this.#inside(ranges);
  }

  #classChar(): string {
    const char = this.#next();
    return char === "\\" ? this.#escape() : char;
  }

  #inside([range]: readonly [string, string][]): string {
    if (!range) return this.#fail();
    const [first, last] = range.map((char) => char.codePointAt(0) ?? 0);
    if (first === undefined || last === undefined) return this.#fail();
    return String.fromCodePoint(Math.min(first + this.variant, Math.max(first, last)));
  }

  /** A character outside a negated class; kinds within it, such as `\\d`, are approximated. */
  #outside(ranges: readonly [string, string][]): string {
    const kinds = /\\[dwsDWSpP]/.test(this.pattern);
    const candidates = kinds ? ["é", "#", "~"] : ["a", "A", "1", "-", "_", " ", "é"];
    const fitting = candidates.find((char) =>
      !ranges.some(([first, last]) => first <= char && char <= last)
    );
    return fitting ?? this.#fail();
  }

  #escape(): string {
    const char = this.#next();
    if (/[1-9bBk]/.test(char)) return this.#fail();
    if (char === "p") return this.#property();
    const code = char === "u" ? this.#match(/^([0-9a-fA-F]{4})/) : undefined;
    if (code?.[1]) return String.fromCharCode(parseInt(code[1], 16));
    return escapes.get(char) ?? (/[A-Za-z]/.test(char) ? this.#fail() : char);
  }

  #property(): string {
    const name = this.#match(/^\{(\w+)\}/)?.[1] ?? "";
    return properties.get(name) ?? this.#fail();
  }

  #peek(): string {
    return this.pattern[this.#at] ?? "";
  }

  #next(): string {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char;
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.pattern.slice(this.#at));
    if (found) this.#at += found[0].length;
    return found;
  }

  #fail(): string {
    this.#failed = true;
    return "";
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["d", "1"],
  ["w", "a"],
  ["s", " "],
  ["D", "a"],
  ["W", "."],
  ["S", "a"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["f", "\f"],
  ["v", "\v"],
]);

const properties: ReadonlyMap<string, string> = new Map([
  ["L", "a"],
  ["Letter", "a"],
  ["Ll", "a"],
  ["Lu", "A"],
  ["N", "1"],
  ["Nd", "1"],
  ["P", "."],
]);
