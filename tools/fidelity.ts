import { type Note, repairNotes, schemaNotes } from "../lib/canonical/mod.ts";
import { alikeMax, answerNotes } from "../lib/formats/answer_notes.ts";
import type { AnswerPlaces } from "../lib/formats/answer_places.ts";
import { codecs } from "../lib/formats/mod.ts";
import { limitNote } from "../lib/gateway/noted_limit.ts";
import { stopsNote } from "../lib/upstreams/emulated_stops.ts";

const file = new URL("../docs/fidelity.md", import.meta.url);

/** What each conversion can lose, as a document: `tools/fidelity.ts` writes it, `--check` exits with 1 when it is stale. */
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

When the caller's format is one that the upstream speaks, a request and its answer go through untouched: nothing is lost. The one
exception is the limit of an answer that a balance or a budget does not pay for: that number is lowered, and no other byte changes.
Otherwise Tessera converts, and what the target's format cannot say is never dropped in silence. Each such thing is a *note*:

| part | what it says |
| --- | --- |
| path | where in the request, in the canonical words of all formats: \`tools[2].strict\`, \`sampling.seed\`; one that begins with \`answer\` is in the answer: \`answer.parts[3].citations\` |
| action | \`dropped\`: it is not sent · \`emulated\`: it is said in another way · \`clamped\`: the nearest value is sent · \`repaired\`: it was not valid as it came |
| reason | a short sentence for a person |

- The \`tessera-notes\` header lists the notes of the request, and of an answer that is whole, as many as fit into
  \`limits.notesHeaderBytesMax\` and how many more there are.
- A stream has the notes of its answer in the comment \`: tessera-notes …\` before its last event. The generate-content format takes no
  comments.
- The request log keeps them all, also of an answer that broke off; the console shows them with the call.
- A caller that sends \`tessera-strict: true\` is answered with 400 \`conversion_lossy\` instead, before anything is sent upstream.
  That is for the request alone: an answer was made and charged by then, so it is delivered with its notes.

What loses nothing is no note: item ids, who called a tool, how a cache is told apart from another, settings for features that only
the caller's own vendor has and that change no answer. Where leaving a thing out would change what is asked (a medium that the target
cannot read, a forced tool that it does not have, state that another vendor keeps), the request is refused with
\`unsupported_parameter\`.

In the tables \`i\`, \`j\` and \`k\` stand for positions. This document is made by \`deno task fidelity\`.`;

const answersIntroduction =
  `What an answer of the upstream's format says and the caller's format has no place for is said in another way where that can be done:

- Items of hosted tools, such as code that ran and its output, are paragraphs of the text.
- Citations follow the text that they belong to: web pages as links, documents by title and quote. A link that the text has already is not repeated.
- Pictures and other media are links in the text, to their address or with their bytes as a data URL; what was spoken is its transcript.
- A request to approve the call of an MCP server is a tool call named \`mcp_approval_request\`. Its result goes back as the approval
  where it is a plain yes (\`yes\`, \`approve\`, \`true\`, \`{"approve": true}\`), and as the refusal, with its words, where it is anything else.

Nothing is added to the text of an answer that the caller asked for as JSON: there the note alone tells of the loss. Of each kind the
first ${alikeMax} notes of an answer are kept, and how many more there were. These are the places that each format has:`;

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
  alternatives: ({ alternatives }) => mark(alternatives),
};

function mediumOf(sources: AnswerPlaces["media"]["image"]): string {
  if (sources.length === 0) return mark(false);
  return sources.includes("url") ? "bytes and addresses" : "bytes";
}

function mark(has: boolean): string {
  return has ? "yes" : "–";
}

const repairIntroduction =
  "Vendors refuse a history whose tool calls and results do not pair up. Before any conversion it is mended.";

const schemaIntroduction =
  `Schemas of tools and of structured output are brought into what the target takes. \`schema\` stands for the place of the schema
or of one within it, such as \`tools[2].parameters.properties.city\`, and \`keyword\` for the keyword at fault.`;

function tableOf(notes: readonly Note[]): string {
  const rows = notes.map(({ path, action, reason }) => `| \`${path}\` | ${action} | ${reason} |`);
  return ["| path | action | reason |", "| --- | --- | --- |", ...rows.sort()].join("\n");
}

if (import.meta.main) {
  const check = Deno.args.includes("--check");
  const stale = !check || readDocument() !== fidelityDocument();
  if (stale && check) {
    console.error("docs/fidelity.md is stale: run deno task fidelity");
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
