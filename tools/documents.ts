import { z } from "zod";
import { errorCatalog, type Note, repairNotes, schemaNotes } from "../lib/canonical/mod.ts";
import { alikeMax, answerNotes } from "../lib/formats/answer/notes.ts";
import type { AnswerPlaces } from "../lib/formats/answer/places.ts";
import { codecs } from "../lib/formats/mod.ts";
import { limitNote } from "../lib/gateway/stages.ts";
import { stopsNote } from "../lib/upstreams/emulated_stops.ts";
import { eventTypes } from "../lib/webhooks/mod.ts";

/** The error catalog. */
function errorsDocument(): string {
  const rows = Object.entries(errorCatalog).map(([code, { status, type, retryable, meaning }]) =>
    `| \`${code}\` | ${status} | \`${type}\` | ${retryable ? "yes" : "no"} | ${meaning} |`
  );
  return `# Errors

Every error has \`error.message\`, \`error.type\`, \`error.code\` and \`error.request_id\`, and the fields that the format's SDK needs.
In the generate-content format, \`error.code\` is the status as a number, and \`error.reason\` the code (\`error.code\` stays
\`invalid_api_key\` for a wrong key). The status is the same in all formats, except that an overloaded upstream is 529 in the messages
format. Errors that a retry cannot fix have \`x-should-retry: false\`; \`retry-after\` is set if the time is known and within a minute.

**Message.** The message of an error of a logged call says who failed, whether the call was charged, whether a retry is safe, and
what to do: \`openai returned 500 (server_error): The server had an error. Not charged. Safe to retry.\` The call's page in the
console says the same.

**Limits.** If a limit or budget refuses a call, the message names it and \`error.limit\` describes it: \`name\`, \`limit\`,
\`remaining\` (amounts of money in dollars, such as \`"$0.0012"\`) and \`resets_at\`; of a rolling budget, such as
\`key rolling 5-hour budget\`, that is when it has room for the call if nothing else is spent. Limits of a project, the organization
or a tag have no amounts, because other accounts share them.
[Rate limit headers](headers.md#rate-limits) report the state of limits on every call.

**Refusals.** If a limit, a rule or an upstream refused a call, \`error.refused_by\` has its \`owner\` (key, child, session, group,
account, project, organization, tag, wallet or provider), its \`id\`, and the \`url\` of the page of the console on which it is changed.

**Link to the log.** An error of a logged call also has \`error.log_url\`, the address of that call in the console.

**Streams.** After the first byte of a stream, an error comes in the format's own form, and the stream ends without its terminal
event.

**Types.** Clients get the types of their format, such as \`billing_error\` for 402 in the messages format; those below are for errors
without one. The code is the same in all formats. The log has one more: \`interrupted\`, for a call in flight when the gateway was
killed.

| code | status | type | retry | meaning |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

/** A field of an event's `data`, by its path. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly meaning: string;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The events of webhooks. */
function eventsDocument(): string {
  const rows = Object.entries(eventTypes).map(([type, { when, frequency, data }]) =>
    `| \`${type}\` | ${when} | ${frequency} | ${namesIn(data)} |`
  );
  const fields = Object.values(eventTypes).flatMap(({ data }) => fieldsIn(data));
  return `# Events

The events that [webhooks](../how-to/receive-events.md) receive. A body has \`type\`, \`timestamp\` (the time of the event, ISO 8601)
and \`data\`, with the event's \`id\` (as in \`webhook-id\`), a \`message\` in English and the fields below; those with \`?\` are
optional. Ignore types and fields that you do not know. Amounts are US dollars as decimal text.

| type | sent when | frequency | fields |
| --- | --- | --- | --- |
${rows.join("\n")}

The type \`test\` is sent by _Send test event_ alone; its \`data\` has \`id\` and \`message\`.

## Fields

| field | type | meaning |
| --- | --- | --- |
${[...Map.groupBy(fields, fieldHead)].map(fieldRow).sort().join("\n")}
`;
}

/** The fields of an event's `data` itself, without those that every event has. */
function namesIn(data: z.ZodObject): string {
  const own = fieldsIn(data).filter(({ name }) => !name.includes("."));
  return own.map(({ name, isOptional }) => `\`${name}\`${isOptional ? "?" : ""}`).join(", ");
}

function fieldsIn(data: z.ZodObject): Field[] {
  return fieldsOf(z.toJSONSchema(data) as Schema)
    .filter(({ name }) => name !== "id" && name !== "message");
}

function fieldHead({ name, type }: Field): string {
  return `| \`${name}\` | ${type} |`;
}

/** A row with the meanings that a field has in the events. */
function fieldRow([head, fields]: readonly [string, readonly Field[]]): string {
  const meanings = new Set(
    fields.map(({ meaning }) => meaning).filter((meaning) => meaning !== ""),
  );
  return `${head} ${[...meanings].join(" · ")} |`;
}

function fieldsOf({ properties = {}, required = [] }: Schema, before = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { description: meaning = "" } = schema;
    const field = { name: before + name, type: typeOf(schema), meaning };
    const isOptional = !required.includes(name);
    const members = isPlain(schema) ? [] : fieldsOf(schema, `${before}${name}.`);
    return [{ ...field, isOptional }, ...members];
  });
}

/** True if the members of an object need no rows of their own. */
function isPlain({ properties = {} }: Schema): boolean {
  return Object.values(properties).every(({ type, enum: values, format, description }) =>
    type === "string" && !values && !format && !description
  );
}

function typeOf(schema: Schema): string {
  const { type = "", format, enum: values, properties = {} } = schema;
  if (type === "object" && isPlain(schema)) {
    return `object: ${Object.keys(properties).map((name) => `\`${name}\``).join(", ")}`;
  }
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  return format === "date-time" ? "time" : type;
}

/** The losses of conversions. */
function fidelityDocument(): string {
  return [
    introduction,
    `## In requests\n\nBy the format of the upstream, where a reason does not hold for all of them.\n\n${
      tableOf(requestNotes)
    }`,
    `## In answers\n\n${answersIntroduction}\n\n${placesTable()}\n\n${
      tableOf(Object.values(answerNotes))
    }`,
    `## By the gateway itself\n\n${repairIntroduction}\n\n${
      tableOf([stopsNote, limitNote, ...Object.values(repairNotes)])
    }`,
    `## Translation of schemas\n\n${schemaIntroduction}\n\n${tableOf(Object.values(schemaNotes))}`,
  ].join("\n\n") + "\n";
}

const requestNotes: readonly Cause[] = Object.values(codecs).flatMap(({ name, noteTable }) =>
  Object.values(noteTable).map((note) => ({ ...note, format: name }))
);

const introduction = `# Fidelity

If an upstream speaks the caller's format, the request and its answer pass through byte for byte: nothing is lost. These are the only
changes:

| change | reason |
| --- | --- |
| the name of the model | the upstream has another name for it |
| the output limit is lowered | a balance or budget does not pay for a longer answer |
| \`stream_options.include_usage\` is set in a streamed chat completion | the call is metered by it ([why](../decisions/0002-usage-of-chat-streams.md)). The chunk that it causes is removed, unless the caller requested it; other chunks may then have \`"usage": null\` |
| \`usage: {"include": true}\` is removed from a chat completion | the gateway itself states the cost, in \`usage.cost\` |
| a price that the upstream states in \`usage\` is removed: \`cost\`, \`cost_details\`, \`cost_in_usd_ticks\`, \`is_byok\` | it is what the operator pays ([why](../decisions/0063-upstream-costs.md)) |
| \`[DONE]\` or \`message_stop\` is added to a stream | the upstream stated its finish reason and closed the stream without the mark. Clients wait for the mark, and some take an answer without it for cut off. A stream without a finish reason ends in an error instead |
| comments are added to a stream, such as \`: tessera-cost\` | they state the cost, and keep the connection open while the upstream is silent. Clients ignore them |
| the members of a response that describe its stored state | the gateway stores responses and conversations itself ([how](../explanation/responses.md)) |

Otherwise Tessera converts, and reports everything that the target's format cannot express. Each loss or change is a *note*:

| part | meaning |
| --- | --- |
| path | its place in the request, in the canonical words of all formats: \`tools[2].strict\`, \`sampling.seed\`; a path that begins with \`answer\` is in the answer: \`answer.parts[3].citations\` |
| action | \`dropped\`: not sent · \`emulated\`: expressed in another way · \`clamped\`: sent as the nearest value · \`repaired\`: invalid as it came |

The \`tessera-notes\` header lists the notes of the request and of a whole answer, up to \`limits.notesHeaderBytesMax\`. A stream
has those of its answer in the comment \`: tessera-notes …\` before its end, except in the generate-content format. The call's page
in the console has all notes.

With \`tessera-strict: true\`, such a request is refused with 400 \`conversion_lossy\`. An answer is never refused for its notes.
If a request would mean something else without a part of it (a medium that the target cannot read, a forced tool that it does not
have, state that another vendor keeps), it is refused with \`unsupported_parameter\`. Events of streams that the gateway does not
know reach only callers of the same format. In the tables \`i\`, \`j\` and \`k\` are positions.`;

const answersIntroduction =
  `Content of an answer that the caller's format cannot hold is expressed in another way if there is one:

- Items of hosted tools, such as code that ran and its output, become paragraphs of the text.
- Citations follow the text that they belong to: web pages as links, documents by title and quote. A link that the text already has is not repeated.
- Pictures and other media become links in the text, to their address or with their bytes as a data URL. Speech becomes its transcript.
- Log probabilities stay with the text of their tokens.
- A request to approve the call of an MCP server becomes a tool call named \`mcp_approval_request\`; \`yes\` as its result approves.

If the caller requested JSON, nothing is added to the text, and the note alone reports the loss. An answer keeps the first ${alikeMax} notes of
each kind and the number of further ones. These are the places that each format has:`;

/** The places of each format's answers, as a table. */
function placesTable(): string {
  const rows = Object.values(codecs).map(({ name, answerPlaces }) =>
    `| ${name} | ${Object.values(placesOf).map((say) => say(answerPlaces)).join(" | ")} |`
  );
  const columns = ["format", ...Object.keys(placesOf)];
  return [`| ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length)}`, ...rows].join("\n");
}

const placesOf: Readonly<Record<string, (places: AnswerPlaces) => string>> = {
  images: ({ media }) => mediumOf(media.image),
  audio: ({ media }) => mediumOf(media.audio),
  "video and files": ({ media }) => mediumOf(media.video),
  transcripts: ({ transcripts }) => mark(transcripts),
  "web citations": ({ addresses }) => mark(addresses),
  "log probabilities": ({ logprobs }) =>
    logprobs.map((kind) => kindsOf[kind]).join(" and ") || mark(false),
  alternatives: ({ alternatives }) => mark(alternatives),
};

const kindsOf = { text: "texts", refusal: "refusals" } as const satisfies Record<
  AnswerPlaces["logprobs"][number],
  string
>;

function mediumOf(sources: AnswerPlaces["media"]["image"]): string {
  if (sources.length === 0) return mark(false);
  return sources.includes("url") ? "bytes and addresses" : "bytes";
}

function mark(has: boolean): string {
  return has ? "yes" : "–";
}

const repairIntroduction =
  "Vendors refuse a history whose tool calls and results do not pair up, so Tessera repairs it before a conversion.";

const schemaIntroduction =
  `Schemas of tools and of structured output are adapted to what the target accepts. \`schema\` is the place of the
schema or of a schema within it, such as \`tools[2].parameters.properties.city\`, and \`keyword\` is the keyword at fault.`;

/** A note with the format of the upstream that causes it; none for those of all. */
interface Cause extends Note {
  readonly format?: string;
}

const stateEnd = "; the description states it";

/** The notes by path and action; parts of schemas that a description states share a row. */
function tableOf(notes: readonly Cause[]): string {
  const [others = [], stated = []] = [false, true]
    .map((isIt) => notes.filter(({ reason }) => reason.endsWith(stateEnd) === isIt));
  const groups = Map.groupBy(others, ({ path, action }) => `| \`${path}\` | ${action} |`);
  const rows = [...groups].map(([head, own]) => `${head} ${reasonsOf(own)} |`);
  const paths = new Set(stated.map(({ path }) => `\`${path}\``));
  if (paths.size > 0) {
    rows.push(
      `| ${
        [...paths].sort().join(", ")
      } | emulated | Invalid, or not supported by the target${stateEnd} |`,
    );
  }
  return ["| path | action | reason |", "| --- | --- | --- |", ...rows.sort()].join("\n");
}

/** Each reason once, with its formats if it does not name them. */
function reasonsOf(causes: readonly Cause[]): string {
  return [...Map.groupBy(causes, ({ reason }) => reason)].map(([reason, own]) => {
    const formats = own.flatMap(({ format }) => format ?? []);
    const isNamed = formats.some((format) => reason.includes(format));
    const isForAll = formats.length === 0 || formats.length === Object.keys(codecs).length;
    return isNamed || isForAll ? reason : `${reason} (${formats.join(", ")})`;
  }).join(" · ");
}

/**
 * `deno task documents` writes the pages of `docs/reference` that come from tables of the code;
 * `--check` exits with 1 if one is stale.
 */
if (import.meta.main) {
  const documents = {
    errors: errorsDocument(),
    events: eventsDocument(),
    fidelity: fidelityDocument(),
  };
  for (const [name, text] of Object.entries(documents)) {
    const file = new URL(`../docs/reference/${name}.md`, import.meta.url);
    if (!Deno.args.includes("--check")) Deno.writeTextFileSync(file, text);
    else if (Deno.readTextFileSync(file) !== text) {
      console.error(`${file.pathname} is stale: run deno task documents`);
      Deno.exitCode = 1;
    }
  }
}
