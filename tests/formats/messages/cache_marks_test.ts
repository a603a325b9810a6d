import { assert } from "@std/assert";
import type { CacheMark, CanonicalRequest, Part } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { bareRequest } from "../requests/bare_request.ts";

/**
 * The vendor refuses a fifth breakpoint. Other clients and gateways add theirs to those of the
 * caller (https://github.com/Wei-Shaw/sub2api/issues/176; gajae-code #3934).
 */

const long = "The parser reads one token after the other and keeps its place. ".repeat(80);

function text(marked: boolean): Part {
  return { type: "text", text: long, ...(marked && { cache: {} satisfies CacheMark }) };
}

/** A request with so many breakpoints on its tools, its instructions and its turns. */
function marked(tools: number, instructions: number, turns: number): CanonicalRequest {
  return {
    ...bareRequest,
    model: "claude-opus-5",
    tools: Array.from({ length: 4 }, (_, at) => ({
      type: "function",
      name: `f${at}`,
      parameters: { type: "object" },
      ...(at < tools && { cache: {} }),
    })),
    instructions: Array.from(
      { length: 4 },
      (_, at) => text(at < instructions),
    ) as CanonicalRequest["instructions"],
    turns: Array.from({ length: 7 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      parts: [text(at < turns)],
    })),
  };
}

for (const top of [false, true]) {
  for (const onlyMarked of [false, true]) {
    Deno.test(`never a fifth cache breakpoint: ${top ? "with" : "without"} the vendor's own, ${onlyMarked ? "explicit" : "with the gateway's"}`, () => {
      for (let tools = 0; tools <= 4; tools++) {
        for (let instructions = 0; instructions <= 4; instructions++) {
          for (let turns = 0; turns <= 7; turns++) {
            const request = {
              ...marked(tools, instructions, turns),
              ...(top && { cache: {} }),
              ...(onlyMarked && { caching: { onlyMarked } }),
            };
            const { wire } = encodeAtOnce(codecs.messages, request);
            const count = JSON.stringify(wire.body).split('"cache_control"').length - 1;
            assert(count <= 4, `${count} for ${tools}, ${instructions}, ${turns}`);
            if (tools + instructions + turns > 0) assert(count > 0);
          }
        }
      }
    });
  }
}
