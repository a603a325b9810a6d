import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type CanonicalRequest,
  type FormatName,
  formatNames,
  GatewayError,
  isJsonObject,
  type Note,
  repairNotes,
  repairTurns,
  schemaNotes,
} from "../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../lib/formats/codec.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { conversation, oddConversation } from "./conversation.ts";
import { modelOf, recordedCases, wireOf } from "./recorded_wire.ts";
import { agentRequests } from "./requests/agent_requests.ts";

/** Notes are for losses only: a strict caller is refused at the first one. */

const models = {
  "chat-completions": "gpt-5.1",
  responses: "gpt-5.1",
  messages: "claude-opus-5",
  "generate-content": "gemini-3-pro-preview",
} as const satisfies Record<FormatName, string>;

/** Every loss of an agent's usual request, by agent and target. */
const losses: Readonly<Record<string, Readonly<Partial<Record<FormatName, readonly string[]>>>>> = {
  Codex: {
    "chat-completions": ["tools[1] dropped"],
    messages: ["tools[1].external_web_access dropped", "verbosity dropped"],
    "generate-content": ["reasoning.effort clamped", "tools[1].external_web_access dropped"],
  },
  "Claude Code": {
    "chat-completions": ["instructions[0].cache.ttl clamped"],
    "generate-content": ["endUser dropped", "reasoning.effort clamped"],
  },
  "Gemini CLI": {
    "chat-completions": [
      "reasoning.budgetTokens emulated",
      "sampling.temperature dropped",
      "sampling.topK dropped",
      "sampling.topP dropped",
    ],
    responses: [
      "reasoning.budgetTokens emulated",
      "sampling.temperature dropped",
      "sampling.topK dropped",
      "sampling.topP dropped",
    ],
    messages: ["reasoning.budgetTokens emulated", "sampling dropped"],
  },
};

for (const { name, format, wire } of agentRequests) {
  for (const to of formatNames.filter((to) => to !== format)) {
    Deno.test(`notes of ${name}'s request in ${to}: only what is lost`, () => {
      const notes = notesOf(codecs[format].decodeRequest(wire), to, models[to]);
      const told = notes.map(({ path, action }) => `${path} ${action}`).sort();
      assertEquals(told, [...losses[name][to] ?? []]);
    });
  }
  Deno.test(`notes of ${name}'s request in its own format: none`, () => {
    const request = codecs[format].decodeRequest(wire);
    const { wire: again, notes } = encodeAtOnce(codecs[format], request);
    assertEquals(notes, []);
    assertEquals(plain(codecs[format].decodeRequest(again)), plain(request));
  });
}

const cases = recordedCases();
Deno.test({
  name: "notes of recorded requests: no field is noted that loses nothing",
  ignore: cases.size === 0,
  fn: () => {
    const fields = [...recordedNotes()].filter(({ reason }) => reason === foreignField)
      .map(({ path }) => path.replace(/\[\d+\]/g, "[]"));
    console.log(`fields that only the caller's format knows: ${[...new Set(fields)].join(", ")}`);
    const harmless = /\.(include|phase|logprobs|caller|defer_loading|stream_options)$/;
    assertEquals(fields.filter((path) => harmless.test(path)), []);
  },
});

const foreignField = codecs.messages.noteTable.requestNative.reason;

Deno.test("every note is in a table", () => {
  const target = fc.constantFrom(...formatNames);
  fc.assert(
    fc.property(fc.oneof(conversation, oddConversation), target, (request, to) => {
      for (const note of notesOf(request, to, models[to])) assertKnown(note, to);
    }),
    { numRuns: 400, seed: 20_261_121 },
  );
  for (const { format, wire } of agentRequests) {
    const request = codecs[format].decodeRequest(wire);
    for (const to of formatNames) {
      for (const note of notesOf(request, to, models[to])) assertKnown(note, to);
    }
  }
});

Deno.test("every row of a table is a sentence for a person, with a path of its own shape", () => {
  const tables = [...Object.values(codecs).map(({ noteTable }) => noteTable), repairNotes];
  for (
    const { path, reason } of [...tables, schemaNotes].flatMap((table) => Object.values(table))
  ) {
    assert(/^[A-Z].*[^.]$/.test(reason), reason);
    assert(/^[a-z][\w.$[\]]*$/i.test(path), path);
  }
});

function assertKnown({ action, reason }: Note, to: FormatName): void {
  const tables = [codecs[to].noteTable, repairNotes, schemaNotes];
  const rows = tables.flatMap((table) => Object.values<Note>(table));
  assert(rows.some((row) => row.action === action && row.reason === reason), reason);
}

function notesOf(request: CanonicalRequest, to: FormatName, model: string): readonly Note[] {
  const { request: repaired, notes } = repairTurns(request);
  try {
    return [...notes, ...encodeAtOnce(codecs[to], { ...repaired, model }).notes];
  } catch (error) {
    assert(error instanceof GatewayError, `${error}`);
    return notes;
  }
}

function* recordedNotes(): Generator<Note> {
  for (const recorded of cases.values()) {
    for (const from of formatNames) {
      const body = recorded[from]?.files.request;
      if (!isJsonObject(body)) continue;
      const wire = wireOf[from](body, modelOf(from, recorded[from]));
      const request = codecs[from].decodeRequest(wire);
      for (const to of formatNames.filter((to) => to !== from)) {
        yield* notesOf(request, to, modelOf(to, recorded[to]));
      }
    }
  }
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
