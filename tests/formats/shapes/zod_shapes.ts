import type { z } from "zod";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import * as chat from "../../../lib/formats/chat_completions/schema.ts";
import * as generate from "../../../lib/formats/generate_content/schema.ts";
import * as messages from "../../../lib/formats/messages/schema.ts";
import * as responses from "../../../lib/formats/responses/schema.ts";
import { enumNumbers } from "./enum_numbers.ts";
import type { Member, Shape } from "./shape.ts";
import { shapeOf } from "./zod_shape.ts";

/**
 * The gateway's own schemas as shapes. The schema of a request leaves its unions open, and those of
 * their members are in tables by type: here each is put where the codec expects it.
 */

/** The modules with the schemas of each format. */
export const schemaModules: Readonly<Record<FormatName, Readonly<Record<string, unknown>>>> = {
  "chat-completions": chat,
  responses,
  messages,
  "generate-content": generate,
};

/** The shapes of objects by name. */
export const zodNamed: Record<string, Shape> = {};
/** The schemas, and tables of schemas, that have a place. */
export const placedSchemas = new Set<unknown>();

type Exact = Readonly<Record<string, Shape>>;

/** An object by its schema, with more exact shapes for some of its members. */
function placed(name: string, schema: z.ZodType, exact: Exact = {}): Shape {
  placedSchemas.add(schema);
  return shapeOf(schema, { name, path: "", exact, named: zodNamed });
}

/** A union of the schemas in a table: the name of each is the member that discriminates. */
function union(
  name: string,
  table: Readonly<Record<string, z.ZodType>>,
  exact: Exact = {},
  discriminator = "type",
): Shape {
  placedSchemas.add(table);
  return {
    oneOf: Object.entries(table).map(([type, schema]) =>
      tagged(placed(`${name} ${type}`, schema, exact), { [discriminator]: { is: [type] } })
    ),
  };
}

/** The object with members that its schema does not name, as the codec reads them before it. */
function tagged(shape: Shape, members: Exact): Shape {
  const { ref } = shape as { ref: string }; // sound: an object's schema
  const own = zodNamed[ref] as { members: Record<string, Member> }; // sound: as above
  zodNamed[ref] = { members: { ...object(members).members, ...own.members } };
  return shape;
}

/** An object of required members that no schema describes. */
function object(members: Exact): { readonly members: Record<string, Member> } {
  return {
    members: Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, { shape }])),
  };
}

function textOr(list: Shape): Shape {
  return { oneOf: ["string", { list }] };
}

const tag = (type: string) => object({ type: { is: [type] } });

function chatRequest(): Shape {
  const exact = {
    content: textOr(union("chat part", chat.partSchemas)),
    tool_calls: { list: union("chat call", chat.callSchemas) },
  };
  const formats = [tag("text"), union("chat tool format", chat.textFormatSchemas)];
  const tools = union("chat tool", chat.toolSchemas, { "custom.format": { oneOf: formats } });
  const choices = [
    { is: ["none", "auto", "required"] },
    union("chat choice", chat.choiceSchemas, {
      "allowed_tools.tools": {
        list: object({ type: { is: ["function"] }, function: object({ name: "string" }) }),
      },
    }),
  ];
  const schema = tagged(placed("chat json schema", chat.jsonSchema), {
    type: { is: ["json_schema"] },
  });
  return placed("chat request", chat.request, {
    messages: { list: union("chat message", chat.messageSchemas, exact, "role") },
    tools: { list: tools },
    functions: { list: placed("chat function", chat.declaration) },
    tool_choice: { oneOf: choices },
    response_format: { oneOf: [tag("text"), tag("json_object"), schema] },
  });
}

function responsesRequest(): Shape {
  const parts = textOr(union("responses part", responses.contentSchemas));
  const { reasoning, ...others } = responses.itemSchemas;
  placedSchemas.add(responses.itemSchemas);
  const items = [
    union("responses item", others, { content: parts, output: parts }),
    union("responses item", { reasoning }, {
      summary: { list: object({ type: { is: ["summary_text"] }, text: "string" }) },
      content: { list: object({ type: { is: ["reasoning_text"] }, text: "string" }) },
    }),
  ];
  const members = union("responses tool of a namespace", responses.memberSchemas);
  const format = tagged(placed("responses text format", responses.textFormat), {
    type: { is: ["json_schema"] },
  });
  return placed("responses request", responses.request, {
    input: textOr({ oneOf: items }),
    tools: { list: union("responses tool", responses.toolSchemas, { tools: { list: members } }) },
    text: object({ format: { oneOf: [tag("text"), tag("json_object"), format] } }),
    tool_choice: {
      oneOf: [
        { is: ["none", "auto", "required"] },
        object({ type: { is: ["function", "custom"] }, name: "string" }),
      ],
    },
  });
}

/** A refinement, and not the schema of a member, says what a source has. */
const sources: Shape = {
  oneOf: [
    object({ type: { is: ["base64"] }, media_type: { is: ["image/png"] }, data: "string" }),
    object({ type: { is: ["url"] }, url: "string" }),
    object({ type: { is: ["file"] }, file_id: "string" }),
  ],
};

function messagesRequest(): Shape {
  const { search_result, tool_result, image, document, ...others } = messages.blockSchemas;
  placedSchemas.add(messages.blockSchemas);
  const texts = {
    list: union("messages text", { text: others.text }, { citations: { list: "any" } }),
  };
  const plain = [
    union("messages block", others, { citations: { list: "any" } }),
    union("messages block", { image, document }, { source: sources }),
    union("messages block", { search_result }, { content: texts }),
  ];
  const result = union("messages block", { tool_result }, { content: textOr({ oneOf: plain }) });
  const content = textOr({ oneOf: [...plain, result] });
  const settings = tagged(placed("messages settings", messages.settingsMessage, { content }), {
    role: { is: ["system"] },
  });
  const choices = { "": { is: ["auto", "any", "none"] }, " of a tool": { is: ["tool"] } };
  const [choice, choiceOfTool] = Object.entries(choices).map(([name, type]) =>
    shapeOf(messages.generationRequest.shape.tool_choice, {
      name: `messages choice${name}`,
      path: "",
      exact: { type },
      named: zodNamed,
    })
  );
  return placed("messages request", messages.generationRequest, {
    messages: {
      list: { oneOf: [placed("messages message", messages.message, { content }), settings] },
    },
    system: textOr(texts.list),
    tools: { list: placed("messages tool", messages.clientTool) },
    tool_choice: { oneOf: [choice, tagged(choiceOfTool, { name: "string" })] },
    "thinking.type": { is: ["enabled", "disabled", "adaptive"] },
    "output_config.format.type": { is: ["json_schema"] },
    "output_format.type": { is: ["json_schema"] },
  });
}

const names = (member: string): Shape => ({ is: enumNumbers[member].filter(isName) });
const isName = (name: string) => /^[A-Z_]+$/.test(name);

function generateRequest(): Shape {
  return placed("generate request", generate.request, {
    "toolConfig.functionCallingConfig.mode": names("functionCallingConfig.mode"),
    "generationConfig.thinkingConfig.thinkingLevel": names("thinkingLevel"),
    "safetySettings.category": names("category"),
    "safetySettings.threshold": names("threshold"),
  });
}

/** The shape of a request of each format, as its schemas have it. */
export const zodRoots: Readonly<Record<`${FormatName} schema`, Shape>> = {
  "chat-completions schema": chatRequest(),
  "responses schema": responsesRequest(),
  "messages schema": messagesRequest(),
  "generate-content schema": generateRequest(),
};
