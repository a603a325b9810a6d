import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";

/** A statement without its semicolon, or a line of the data behind `COPY … FROM stdin`. */
type Piece =
  | { readonly type: "statement"; readonly text: string }
  | { readonly type: "line"; readonly line: string };

interface SplitterOptions {
  /** True if `\` escapes in every text. */
  readonly hasEscapes: boolean;
  /** Decides by the start of a statement whether its text is kept. */
  readonly keeps: (start: string) => boolean;
}

/** Enough to see the kind of a statement and its table. */
const startChars = 400;
/** MySQL writes statements of up to a gigabyte only on request. */
const statementCharsMax = 256_000_000;

type State = "code" | "quote" | "line comment" | "block comment" | "lines";

/**
 * Splits a dump into statements, in one pass over pieces of any length. Leaves comments out, and
 * forgets the text of statements that nobody wants.
 */
export class StatementSplitter {
  #state: State = "code";
  #quote = "";
  #isEscaped = false;
  #escapes = false;
  #last = "";
  #text = "";
  #isDropped = false;
  #hasText = false;
  #isStatement = false;

  constructor(readonly options: SplitterOptions) {}

  /** Returns the pieces that are complete with this text. */
  push(text: string): Piece[] {
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const char = text[at];
      if (this.#state === "lines") {
        const end = text.indexOf("\n", at);
        this.#keep(text.slice(at, end < 0 ? undefined : end));
        at = end < 0 ? text.length : end;
        from = at + 1;
        if (end >= 0) pieces.push(...this.#line());
        continue;
      }
      if (this.#state === "code" && char === ";") {
        this.#keep(text.slice(from, at));
        from = at + 1;
        pieces.push(...this.#statement());
      } else from = this.#step(char, { text, from, at });
      this.#last = char;
    }
    if (!this.#state.endsWith("comment")) this.#keep(text.slice(from));
    return pieces;
  }

  /** Returns true if nothing is left open. */
  end(): boolean {
    return this.#state !== "quote" && this.#state !== "lines" && this.#text.trim() === "" &&
      !(this.#isDropped && this.#hasText);
  }

  /** Handles one character; returns where the text that is not yet kept begins. */
  #step(
    char: string,
    { text, from, at }: { readonly text: string; readonly from: number; readonly at: number },
  ): number {
    switch (this.#state) {
      case "quote":
        if (this.#isEscaped) this.#isEscaped = false;
        else if (char === "\\" && this.#escapes) this.#isEscaped = true;
        else if (char === this.#quote) this.#state = "code";
        return from;
      case "line comment":
        if (char === "\n") this.#state = "code";
        return at + 1;
      case "block comment":
        if (char === "/" && this.#last === "*") this.#state = "code";
        return at + 1;
      default:
        return this.#code(char, { text, from, at });
    }
  }

  #code(
    char: string,
    { text, from, at }: { readonly text: string; readonly from: number; readonly at: number },
  ): number {
    if (char === "'" || char === '"' || char === "`") {
      this.#state = "quote";
      this.#quote = char;
      this.#escapes = char !== "`" && (this.options.hasEscapes || /e/i.test(this.#last));
      return from;
    }
    const isComment = char === "-" && this.#last === "-" || char === "*" && this.#last === "/";
    if (!isComment) return from;
    this.#state = char === "-" ? "line comment" : "block comment";
    this.#keep(text.slice(from, Math.max(from, at - 1)));
    if (at === from) this.#text = this.#text.slice(0, -1);
    return at + 1;
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#hasText ||= text.trim() !== "";
    if (this.#isDropped) return;
    this.#text += text;
    if (this.#state === "lines" || this.#text.length < startChars) return;
    if (!this.#isStatement) {
      this.#text = this.#text.trimStart();
      if (this.#text.length < startChars) return;
      this.#isStatement = true;
      this.#isDropped = !this.options.keeps(this.#text);
      if (this.#isDropped) this.#text = "";
    }
    if (this.#text.length > statementCharsMax) throw new ImportRefusal("a statement is too long");
  }

  #statement(): Piece[] {
    const text = this.#text.trim();
    const isKept = !this.#isDropped;
    this.#reset("code");
    if (!isKept || text === "") return isKept ? [] : [{ type: "statement", text: "" }];
    if (/^COPY\s[^;]*FROM\s+stdin$/i.test(text)) this.#state = "lines";
    return [{ type: "statement", text }];
  }

  #line(): Piece[] {
    const line = this.#text.replace(/\r$/, "");
    const isFirst = line === "" && this.#isStatement === false;
    this.#reset("lines");
    this.#isStatement = true;
    if (isFirst) return []; // the rest of the line of COPY
    if (line !== "\\.") return [{ type: "line", line }];
    this.#reset("code");
    return [];
  }

  #reset(state: State): void {
    this.#state = state;
    this.#text = "";
    this.#last = "";
    this.#isDropped = false;
    this.#hasText = false;
    this.#isStatement = false;
  }
}
