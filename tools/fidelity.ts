import { type Note, repairNotes, schemaNotes } from "../lib/canonical/mod.ts";
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
| path | where in the request, in the canonical words of all formats: \`tools[2].strict\`, \`sampling.seed\` |
| action | \`dropped\`: it is not sent · \`emulated\`: it is said in another way · \`clamped\`: the nearest value is sent · \`repaired\`: it was not valid as it came |
| reason | a short sentence for a person |

- The answer's \`tessera-notes\` header lists the notes, as many as fit into \`limits.notesHeaderBytesMax\` and how many more there are.
- The request log keeps them; the console shows them with the call.
- A caller that sends \`tessera-strict: true\` is answered with 400 \`conversion_lossy\` instead, before anything is sent upstream.

What loses nothing is no note: item ids, who called a tool, how a cache is told apart from another, settings for features that only
the caller's own vendor has and that change no answer. Where leaving a thing out would change what is asked (a medium that the target
cannot read, a forced tool that it does not have, state that another vendor keeps), the request is refused with
\`unsupported_parameter\`.

In the tables \`i\`, \`j\` and \`k\` stand for positions. This document is made by \`deno task fidelity\`.`;

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
