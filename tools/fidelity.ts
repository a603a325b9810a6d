import { type Note, repairNotes, schemaNotes } from "../lib/canonical/mod.ts";
import { alikeMax, answerNotes } from "../lib/formats/answer/notes.ts";
import type { AnswerPlaces } from "../lib/formats/answer/places.ts";
import { codecs } from "../lib/formats/mod.ts";
import { limitNote } from "../lib/gateway/stages.ts";
import { stopsNote } from "../lib/upstreams/emulated_stops.ts";

const file = new URL("../docs/reference/fidelity.md", import.meta.url);

/** The document of conversion losses: this tool writes it; `--check` exits with 1 if it is stale. */
export function fidelityDocument(): string {
  return [
    introduction,
    ...Object.values(codecs).map(({ name, noteTable }) =>
      `## To an upstream of the ${name} format\n\n${tableOf(Object.values(noteTable))}`
    ),
    `## In answers\n\n${answersIntroduction}\n\n${placesTable()}\n\n${
      tableOf(Object.values(answerNotes))
    }`,
    `## By the gateway itself\n\n${tableOf([stopsNote, limitNote])}`,
    `## Repair of the history\n\n${repairIntroduction}\n\n${tableOf(Object.values(repairNotes))}`,
    `## Translation of schemas\n\n${schemaIntroduction}\n\n${tableOf(Object.values(schemaNotes))}`,
  ].join("\n\n") + "\n";
}

const introduction = `# Fidelity

If an upstream speaks the caller's format, the request and its answer pass through byte for byte: nothing is lost. These are the only
changes:

| change | reason |
| --- | --- |
| the name of the model | the upstream has another name for it |
| the output limit is lowered | a balance or budget does not pay for a longer answer |
| \`stream_options.include_usage\` is set in a streamed chat completion | the call is metered by it ([why](../decisions/0002-usage-of-chat-streams.md)). The chunk that it causes is removed, unless the caller requested it; other chunks may then have \`"usage": null\` |
| \`usage: {"include": true}\` is removed from a chat completion | the gateway itself states the cost, in \`usage.cost\` |
| \`[DONE]\` or \`message_stop\` is added to a stream | the upstream stated its finish reason and closed the stream without the mark. Clients wait for the mark, and some take an answer without it for cut off. A stream without a finish reason ends in an error instead |
| comments are added to a stream, such as \`: tessera-cost\` | they state the cost, and keep the connection open while the upstream is silent. Clients ignore them |
| the members of a response that describe its stored state | the gateway stores responses and conversations itself ([how](../explanation/responses.md)) |

Otherwise Tessera converts, and reports everything that the target's format cannot express. Each loss or change is a *note*:

| part | meaning |
| --- | --- |
| path | its place in the request, in the canonical words of all formats: \`tools[2].strict\`, \`sampling.seed\`; a path that begins with \`answer\` is in the answer: \`answer.parts[3].citations\` |
| action | \`dropped\`: not sent · \`emulated\`: expressed in another way · \`clamped\`: sent as the nearest value · \`repaired\`: invalid as it came |
| reason | a short sentence |

A call's notes appear in three places:

- The \`tessera-notes\` header lists the notes of the request and of a whole answer: as many as fit into
  \`limits.notesHeaderBytesMax\`, then the number of further ones.
- A stream has the notes of its answer in the comment \`: tessera-notes …\` before its last event. Streams of generate-content have no
  comments, since some of its clients fail on them.
- The log of calls keeps all of them, also of an interrupted answer. The console shows them on the call's page.

A request with \`tessera-strict: true\` is refused with 400 \`conversion_lossy\` instead of being changed, before anything is sent
upstream. An answer is never refused for its notes: it exists and is charged by then.

Changes that lose nothing have no note: item IDs, the caller of a tool, the key of a prompt cache, settings for features that only the
caller's own vendor has and that change no answer. If a request would mean something else without a part of it (a medium that the
target cannot read, a part of a message or of a tool's result that is not converted and has no text, a forced tool that it does not
have, state that another vendor keeps), it is refused with \`unsupported_parameter\`.

Streams of responses and messages can have events of types that the gateway does not know, and members of events beside the answer,
item or part that an event carries. They belong to nothing that a note could name, so they have none, and only callers of the same
format get them.

In the tables \`i\`, \`j\` and \`k\` are positions. \`deno task fidelity\` generates this document.`;

const answersIntroduction =
  `Content of an answer that the caller's format cannot hold is expressed in another way if there is one:

- Items of hosted tools, such as code that ran and its output, become paragraphs of the text.
- Citations follow the text that they belong to: web pages as links, documents by title and quote. A link that the text already has is not repeated.
- Pictures and other media become links in the text, to their address or with their bytes as a data URL. Speech becomes its transcript.
- Log probabilities stay with the text of their tokens. A caller whose format has bytes of tokens gets those of the token's text if the
  upstream states none. Text that a stop sequence of the gateway cuts off has none.
- A request to approve the call of an MCP server becomes a tool call named \`mcp_approval_request\`. Its result goes back as the approval
  if it is a plain yes (\`yes\`, \`approve\`, \`true\`, \`{"approve": true}\`), else as the refusal, with its words as the reason.

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
  "Vendors refuse a history whose tool calls and results do not pair up. Tessera repairs such a history before it converts it.";

const schemaIntroduction =
  `Schemas of tools and of structured output are adapted to what the target accepts. \`schema\` is the place of the
schema or of a schema within it, such as \`tools[2].parameters.properties.city\`, and \`keyword\` is the keyword at fault.`;

function tableOf(notes: readonly Note[]): string {
  const rows = notes.map(({ path, action, reason }) => `| \`${path}\` | ${action} | ${reason} |`);
  return ["| path | action | reason |", "| --- | --- | --- |", ...rows.sort()].join("\n");
}

if (import.meta.main) {
  const check = Deno.args.includes("--check");
  const stale = !check || readDocument() !== fidelityDocument();
  if (stale && check) {
    console.error("docs/reference/fidelity.md is stale: run deno task fidelity");
    Deno.exit(1);
  }
  if (stale) Deno.writeTextFileSync(file, fidelityDocument());
}

function readDocument(): string | undefined {
  try {
    return Deno.readTextFileSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
