import { errorCatalog } from "../lib/canonical/mod.ts";

const file = new URL("../docs/reference/errors.md", import.meta.url);

/** The error catalog as a document: `tools/errors.ts` writes it, `--check` exits with 1 when it is stale. */
export function errorsDocument(): string {
  const rows = Object.entries(errorCatalog).map(([code, { status, type, retryable, meaning }]) =>
    `| \`${code}\` | ${status} | \`${type}\` | ${retryable ? "yes" : "no"} | ${meaning} |`
  );
  return `# Errors

Every error body has \`error.message\`, \`error.type\`, \`error.code\` and \`error.request_id\`, and the fields that the format's SDK
needs: \`type: "error"\` in the messages format, \`error.status\` in the generate-content format. All of them are strings, except
\`error.code\` of the generate-content format: as the vendor's, it is the status as a number, and \`error.reason\` is the code, which
\`error.details\` has too (\`ErrorInfo\`). A wrong key has the code \`invalid_api_key\` there, too. The status is the same
in all formats, unless a format's own clients expect another one (an overloaded upstream is 529 in the messages format). Errors
that a retry cannot fix have \`x-should-retry: false\`; \`retry-after\` is set if the time is known.

**Message.** The message of an error of a logged call says who failed, whether the call was charged, whether a retry is safe, and
what to do: \`openai returned 500 (server_error): The server had an error. Not charged. Safe to retry.\` The call's page in the
console says the same. The message includes the upstream's own words, except those about the gateway's credential.

**Limits.** If a limit or budget refuses a call, the message names it and \`error.limit\` describes it: \`name\`, \`limit\`,
\`remaining\` (amounts of money in dollars, such as \`"$0.0012"\`) and \`resets_at\`. Limits of a project, the organization
or a tag have no amounts, because other accounts share them.
[Rate limit headers](headers.md#rate-limits) report the state of limits on every call.

**Link to the log.** An error of a logged call also has \`error.log_url\`, the address of that call in the console, whole and in
streams: at [\`publicUrl\`](configuration.md#publicurl) if it is set, else at the host of the request. Calls without a known key
are not logged; neither are token counts and lists of models.

**Streams.** After the first byte of a stream, an error comes in the format's own form, and the stream ends without its terminal
event.

**Types.** A format's clients get the types that they know, such as \`server_error\` for 5xx in the chat-completions format or
\`billing_error\` for 402 in the messages format; the code is the same in all formats. The types below are those of errors for which
the format has no word of its own. The log has one more code: \`interrupted\`, for a call that was in flight when the gateway was
killed.

| code | status | type | retry | meaning |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

if (import.meta.main) {
  const stale = !Deno.args.includes("--check") || Deno.readTextFileSync(file) !== errorsDocument();
  if (stale && Deno.args.includes("--check")) {
    console.error("docs/reference/errors.md is stale: run deno run -A tools/errors.ts");
    Deno.exit(1);
  }
  if (stale) Deno.writeTextFileSync(file, errorsDocument());
}
