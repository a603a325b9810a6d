import { assertEquals } from "@std/assert";
import {
  type FormatName,
  formatNames,
  type JsonObject,
  serviceTierOf,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { converted, longBodies, told } from "./long_request.ts";
import { upstreamModels } from "./upstream_models.ts";

/** Service tiers by every format's name: sent as they are priced, and noted only if they are lost. */

const members = {
  "chat-completions": "service_tier",
  responses: "service_tier",
  messages: "service_tier",
  "generate-content": "serviceTier",
} as const satisfies Record<FormatName, string>;

/** Each format's names of tiers; `auto` lets the upstream choose, like no name. */
const words: Readonly<Record<FormatName, Readonly<Record<string, string>>>> = {
  "chat-completions": {
    auto: "auto",
    default: "standard",
    flex: "flex",
    priority: "priority",
    fast: "priority",
    scale: "scale",
  },
  responses: {
    auto: "auto",
    default: "standard",
    flex: "flex",
    priority: "priority",
    fast: "priority",
    scale: "scale",
  },
  messages: { auto: "auto", standard_only: "standard" },
  "generate-content": { standard: "standard", flex: "flex", priority: "priority" },
};
/** The converted tier of each; a missing one is noted and left out. */
const sent: Readonly<Record<FormatName, Readonly<Record<string, readonly string[]>>>> = {
  "chat-completions": {
    standard: ["default"],
    flex: ["flex"],
    priority: ["priority", "fast"],
    scale: ["scale"],
  },
  responses: {
    standard: ["default"],
    flex: ["flex"],
    priority: ["priority", "fast"],
    scale: ["scale"],
  },
  messages: { standard: ["standard_only"] },
  "generate-content": { standard: ["standard"], flex: ["flex"], priority: ["priority"] },
};

for (const from of formatNames) {
  for (const [word, tier] of Object.entries(words[from])) {
    const body: JsonObject = { ...longBodies[from], [members[from]]: word };
    for (const to of formatNames.filter((to) => to !== from)) {
      Deno.test(`service tier ${word} of ${from} in ${to}`, () => {
        const { body: wire, notes } = converted(body, { from, to, model: upstreamModels[to] });
        const value = wire[members[to]];
        const possible = sent[to][tier];
        if (possible) assertEquals(possible.includes(`${value}`), true, `${value}`);
        const isLost = tier !== "auto" && !possible;
        assertEquals(
          told(notes).filter((note) => note.startsWith("serviceTier")).length,
          isLost ? 1 : 0,
        );
        assertEquals(told(notes).length, isLost ? 1 : 0);
        const asked = serviceTierOf(word);
        const kept = asked !== undefined && codecs[to].billing.tiers.includes(asked)
          ? asked
          : undefined;
        assertEquals(codecs[to].billing.terms(wire).tier, kept, "as it is reserved");
        assertEquals(meaningOf(to, wire), isLost ? undefined : meaningOf(from, body));
      });
    }
    Deno.test(`service tier ${word} of ${from} stays in its own format`, () => {
      const { body: wire, notes } = converted(body, {
        from,
        to: from,
        model: upstreamModels[from],
      });
      assertEquals([wire[members[from]], notes], [word, []]);
    });
  }
}

/** The canonical tier that a format's decoder reads. */
function meaningOf(format: FormatName, body: JsonObject): string | undefined {
  const path = format === "generate-content" ? "/models/m:generateContent" : "";
  const { serviceTier } = codecs[format].decodeRequest({ path, search: {}, headers: {}, body });
  return serviceTier === "fast" ? "priority" : serviceTier;
}
