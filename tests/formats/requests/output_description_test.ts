import { assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { objectOf } from "../../../lib/formats/wire_value.ts";
import { converted, longBodies, told } from "./long_request.ts";

/** The description of an answer's schema becomes an instruction; the schema stays unchanged. */

const description = "The matches, with the line of each";
const plain: JsonObject = {
  type: "object",
  properties: { lines: { type: "array", items: { type: "integer" } } },
  required: ["lines"],
  additionalProperties: false,
};
const sources = {
  "chat-completions": (schema: JsonObject) => ({
    ...longBodies["chat-completions"],
    response_format: {
      type: "json_schema",
      json_schema: { name: "matches", description, schema, strict: true },
    },
  }),
  responses: (schema: JsonObject) => ({
    ...longBodies.responses,
    text: { format: { type: "json_schema", name: "matches", description, schema, strict: true } },
  }),
} as const;
const targets: readonly { to: FormatName; model: string; says: boolean }[] = [
  { to: "chat-completions", model: "gpt-5.1", says: false },
  { to: "responses", model: "gpt-5.1", says: false },
  { to: "messages", model: "claude-opus-5", says: true },
  { to: "messages", model: "claude-sonnet-4", says: true },
  { to: "generate-content", model: "gemini-3-pro", says: true },
  { to: "generate-content", model: "gemini-2.5-flash", says: true },
];

for (const from of ["chat-completions", "responses"] as const) {
  for (const { to, model, says } of targets.filter(({ to }) => to !== from)) {
    for (const own of [undefined, "The output", description]) {
      const name = own === undefined ? "a plain schema" : `a schema that says ${own}`;
      Deno.test(`output.description of ${from} beside ${name} in ${to} for ${model}`, () => {
        const schema = own === undefined ? plain : { ...plain, description: own };
        const { body, notes } = converted(sources[from](schema), { from, to, model });
        const sent = schemaOf(body);
        if (sent) assertEquals(sent, schema);
        const isSaid = says && own !== description;
        assertEquals(systemText(body).includes(description), isSaid || (says && !sent));
        const noted = told(notes).filter((note) => note.startsWith("output"));
        assertEquals(
          noted,
          !says ? [] : !sent ? ["output emulated"] : isSaid ? ["output.description emulated"] : [],
        );
        if (!says) assertEquals(JSON.stringify(body).split(description).length > 1, true);
      });
    }
  }
}

function schemaOf(body: JsonObject): unknown {
  return objectOf(objectOf(body.response_format).json_schema).schema ??
    objectOf(objectOf(body.text).format).schema ??
    objectOf(objectOf(body.output_config).format).schema ??
    objectOf(body.generationConfig).responseJsonSchema;
}

function systemText(body: JsonObject): string {
  return JSON.stringify([body.system, body.systemInstruction, body.instructions]);
}
