import { type Span, trace } from "@opentelemetry/api";

/**
 * Removes secrets from the addresses in all spans of this isolate: queries (`?key=`), and tokens of
 * links in paths. Deno 2.8.2 writes a request's address into its span before a handler runs, and a
 * span's values cannot be replaced, so the method that sets them is replaced. Does nothing without
 * tracing.
 */
export function coverSpans(): void {
  const span = trace.getTracer("tessera").startSpan("unused"); // never ended, so never exported
  if (!span.isRecording()) return;
  const prototype: Pick<Span, "setAttribute"> = Object.getPrototypeOf(span);
  const { setAttribute } = prototype;
  prototype.setAttribute = function (this: Span, name, value) {
    return setAttribute.call(this, name, typeof value === "string" ? covered(name, value) : value);
  };
}

/** Links of the console, whose path ends in a token. */
const linkToken = /(\/(?:setup|invitation|password)\/)[^/?#]+/;
/** Matches the query of an address within a text, such as an exception's message. */
const query = /(\bhttps?:\/\/[^\s?#"')]*)[?#][^\s"')]*/g;

function covered(name: string, value: string): string {
  if (name === "url.query") return "";
  return value.replace(query, "$1").replace(linkToken, "$1{token}");
}
