import type { DescribedOperation, Schema } from "./description.ts";
import { casesOf } from "./fields.ts";

/** An example of a value as JSON. */
export function exampleText(schema: Schema): string {
  return JSON.stringify(exampleOf(schema, true), undefined, 2);
}

/** The example that the schema names, or else a value of its type; `isWhole`: all fields. */
function exampleOf(schema: Schema, isWhole: boolean): unknown {
  const cases = casesOf(schema);
  const [given] = [schema, ...cases].flatMap(givenIn);
  if (given !== undefined) return given;
  const { type, items, properties = {}, required = [], format = "" } =
    cases.find((one) => one.type !== "null") ?? {};
  const [name = ""] = [type].flat();
  if (name === "array") return [exampleOf(items ?? {}, isWhole)];
  if (name !== "object") return formats[format] ?? values[name] ?? "…";
  const fields = Object.entries(properties);
  const needed = fields.filter(([name]) => required.includes(name));
  const shown = isWhole ? fields : needed.length > 0 ? needed : fields.slice(0, 1);
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, isWhole)]));
}

function givenIn({ examples = [], const: only, enum: values = [], default: preset }: Schema) {
  return [...examples, only, ...values, preset].filter((value) => value !== undefined);
}

const formats: Readonly<Record<string, unknown>> = {
  "date-time": "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  email: "ada@example.com",
  uri: "https://example.com",
};

const values: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true };

/** A call with `curl`; `$ID` and others are for the reader to set. */
export function curlOf(
  method: string,
  path: string,
  { parameters = [], requestBody, security }: DescribedOperation,
): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = parameters.filter((one) => one.in === "query" && one.required)
    .map(({ name, schema }) => `${name}=${exampleOf(schema, false)}`).join("&");
  const [type, body] = Object.entries(requestBody?.content ?? {}).at(-1) ?? [];
  const key = security === undefined ? "$KEY" : security.length > 0 ? "$TOKEN" : undefined;
  const isUsual = method === "GET" || (method === "POST" && body);
  return [
    `curl "$BASE_URL${address}${query && `?${query}`}"`,
    ...(isUsual ? [] : [method === "HEAD" ? "--head" : `-X ${method}`]),
    ...(key ? [`-H "Authorization: Bearer ${key}"`] : []),
    ...(type && body ? sent(type, exampleOf(body.schema, false)) : []),
  ].join(" \\\n  ");
}

function sent(type: string, example: unknown): string[] {
  if (type === "multipart/form-data") {
    return Object.entries(Object(example)).map(([name, value]) => `-F ${name}=${value}`);
  }
  const text = JSON.stringify(example, undefined, 2).replaceAll("'", "'\\''");
  return [`-H "Content-Type: ${type}"`, `-d '${text.replaceAll("\n", "\n  ")}'`];
}
