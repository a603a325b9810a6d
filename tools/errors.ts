import { errorCatalog } from "../lib/canonical/mod.ts";

const file = new URL("../docs/errors.md", import.meta.url);

/** The error catalog as a document: `tools/errors.ts` writes it, `--check` exits with 1 when it is stale. */
export function errorsDocument(): string {
  const rows = Object.entries(errorCatalog).map(([code, { status, type, retryable, meaning }]) =>
    `| \`${code}\` | ${status} | \`${type}\` | ${retryable ? "yes" : "no"} | ${meaning} |`
  );
  return `# Errors

Every error body has \`error.message\`, \`error.type\`, \`error.code\` and \`error.request_id\` as strings, beside what the
called format's SDK needs: \`type: "error"\` in the messages format, \`error.status\` in the generate-content format. The
status is the same in all formats, but for what a format's own clients expect otherwise (an overloaded upstream is 529
in the messages format). Errors that no retry can mend bear \`x-should-retry: false\`; \`retry-after\` is set where the time is known.

A limit or a budget that refuses a call is named in the message and stands in \`error.limit\`: \`name\`, \`limit\`, \`remaining\` (amounts
of money in dollars, such as \`"$0.0012"\`) and \`resets_at\`. Calls that a limit binds tell how it stands, answered or refused:
\`x-ratelimit-{limit,remaining,reset}-{requests,tokens}\` in the chat-completions and responses formats,
\`anthropic-ratelimit-{requests,tokens}-{limit,remaining,reset}\` in the messages format; of several limits the one that is met
first. The generate-content format has no such headers: its errors hold \`QuotaFailure\` and \`RetryInfo\` in \`error.details\`.

The message of an error of a call that stands in the log says who failed, whether the call was charged, whether it is safe to
retry, and what to do: \`openai returned 500 (server_error): The server had an error. Not charged. Safe to retry.\` The call's page
in the console says the same. The upstream's own words stand in it, but for those about the gateway's credential.

An error of a call that stands in the log also has \`error.log_url\`, the address of that call in the console, whole and within
streams: at [\`publicUrl\`](configure.md#publicurl) where that is set, else at the host that was called. Calls without a key that
is known are not in the log, nor are token counts and lists of models.

In a stream, after its first byte, an error comes in the format's own form and the stream ends without its terminal event.

The types below are those of errors for which the called format has no word of its own: a format's clients get what they
know, such as \`server_error\` for 5xx in the chat-completions format or \`billing_error\` for 402 in the messages format; the code
is the same in all. The log knows one code more: \`interrupted\`, for a call that was in flight when the gateway was killed.

| code | status | type | retry | meaning |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

if (import.meta.main) {
  const stale = !Deno.args.includes("--check") || Deno.readTextFileSync(file) !== errorsDocument();
  if (stale && Deno.args.includes("--check")) {
    console.error("docs/errors.md is stale: run deno run -A tools/errors.ts");
    Deno.exit(1);
  }
  if (stale) Deno.writeTextFileSync(file, errorsDocument());
}
