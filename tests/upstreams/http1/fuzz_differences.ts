/** A client's reading of an answer; one character for each byte of the body. */
export type Outcome =
  | {
    readonly type: "answer";
    readonly status: number;
    readonly headers: string;
    readonly body: string;
  }
  | { readonly type: "body error"; readonly status: number; readonly headers: string }
  | { readonly type: "error" };

/** An answer of which two clients made different things. */
export interface Difference {
  readonly text: string;
  readonly http1: Outcome;
  readonly fetch: Outcome;
}

interface Rule {
  readonly name: string;
  readonly holds: (difference: Difference) => boolean;
}

/** The rules by which our client refuses what `fetch` accepts; and reads one body that it drops. */
export const strictness: readonly Rule[] = [
  refusedHead("a change of protocol", (head) => /^HTTP\/1\.[01] 101/.test(head)),
  refusedHead("an empty line before the status line", (head) => /^[\r\n]/.test(head)),
  refusedHead("a bare LF ends a line", (head) => /[^\r]\n/.test(head)),
  refusedHead(
    "transfer-encoding and content-length",
    (head) => has(head, "transfer-encoding") && has(head, "content-length"),
  ),
  refusedHead(
    "a transfer coding other than chunked",
    (head) =>
      has(head, "transfer-encoding") && !/\ntransfer-encoding:[\t ]*chunked[\t ]*\r/i.test(head),
  ),
  refusedHead(
    "transfer-encoding of HTTP/1.0",
    (head) => /^HTTP\/1\.0 /.test(head) && has(head, "transfer-encoding"),
  ),
  refusedHead(
    "more than one transfer-encoding",
    (head) => (head.match(/\ntransfer-encoding:/gi) ?? []).length > 1,
  ),
  refusedHead(
    "a content-length that is not one number, or has more than 15 digits",
    (head) =>
      has(head, "content-length") && [...head.matchAll(/\ncontent-length:(.*)/gi)]
        .some((found, _, all) => all.length > 1 || !/^[\t ]*\d{1,15}[\t ]*\r?$/.test(found[1])),
  ),
  {
    name: "the body of a 205, which ends as any other (RFC 9112, 6.3)",
    holds: ({ fetch }) => fetch.type === "answer" && fetch.status === 205 && fetch.body === "",
  },
  refusedBody(
    "a bare LF ends a line of the trailers",
    (text) => /\r\n0+[\t ]*(;.*)?\r\n([^]*[^\r])?\n/.test(text),
  ),
  refusedBody(
    "a control character in a chunk extension",
    (text) => /;[^\r\n]*[^\r\n\t -\xff]/.test(text),
  ),
];

/** A rule about the head of the response, or of an interim one before it. */
function refusedHead(name: string, isRefused: (head: string) => boolean): Rule {
  return {
    name,
    holds: ({ text, http1, fetch }) =>
      http1.type === "error" && fetch.type !== "error" && headsOf(text).some(isRefused),
  };
}

function refusedBody(name: string, isRefused: (text: string) => boolean): Rule {
  return {
    name,
    holds: ({ text, http1, fetch }) =>
      http1.type === "body error" && fetch.type === "answer" && isRefused(text),
  };
}

/** The heads of all responses, as `fetch` finds their ends. */
function headsOf(text: string): readonly string[] {
  const heads: string[] = [];
  for (let rest = text;;) {
    const head = /^(?:\r?\n)*[^]*?\n\r?\n/.exec(rest)?.[0] ?? rest;
    heads.push(head);
    rest = rest.slice(head.length);
    if (!/^[\r\n]*HTTP\/1\.[01] 1/.test(head) || rest === "") return heads;
  }
}

function has(head: string, name: string): boolean {
  return new RegExp(`\\n${name}:`, "i").test(head);
}
