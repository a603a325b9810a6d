import { z } from "zod";
import { eventTypes } from "../lib/webhooks/mod.ts";

const file = new URL("../docs/reference/events.md", import.meta.url);

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

/**
 * The events as a document: `tools/events.ts` writes it, `--check` exits with 1 when it is stale.
 */
export function eventsDocument(): string {
  const rows = Object.entries(eventTypes)
    .map(([type, { when, frequency }]) => `| \`${type}\` | ${when} | ${frequency} |`);
  const groups = Map.groupBy(Object.entries(eventTypes), ([, { data }]) => data);
  const parts = [...groups].map(([data, types]) =>
    `## ${types.map(([type]) => `\`${type}\``).join(", ")}\n\n${table(data)}`
  );
  return `# Events

The events that [webhooks](../how-to/receive-events.md) receive. A body has \`type\`, \`timestamp\` (the time of the event, ISO 8601)
and \`data\`. New types and new fields may be added; ignore those that you do not know. Amounts are US dollars as decimal text.

| type | sent when | frequency |
| --- | --- | --- |
${rows.join("\n")}

The type \`test\` is sent by _Send test event_ alone; its \`data\` has \`id\` and \`message\`.

${parts.join("\n\n")}
`;
}

function table(data: z.ZodObject): string {
  const schema = z.toJSONSchema(data) as Schema;
  const rows = fieldsOf(schema).map(({ name, type, isOptional, meaning }) =>
    `| \`data.${name}\` | ${type}${isOptional ? ", optional" : ""} | ${meaning} |`
  );
  return `| field | type | meaning |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function fieldsOf({ properties = {}, required = [] }: Schema, before = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { description: meaning = "" } = schema;
    const field = { name: before + name, type: typeOf(schema), meaning };
    const isOptional = !required.includes(name);
    return [{ ...field, isOptional }, ...fieldsOf(schema, `${before}${name}.`)];
  });
}

function typeOf({ type = "", format, enum: values }: Schema): string {
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  return format === "date-time" ? "time" : type;
}

if (import.meta.main) {
  const stale = !Deno.args.includes("--check") || Deno.readTextFileSync(file) !== eventsDocument();
  if (stale && Deno.args.includes("--check")) {
    console.error("docs/reference/events.md is stale: run deno run -A tools/events.ts");
    Deno.exit(1);
  }
  if (stale) Deno.writeTextFileSync(file, eventsDocument());
}
