import type { ApiField, CliOperation } from "../cli/operation.ts";
import { describeManagement } from "../lib/management/mod.ts";

const file = new URL("../cli/operations.json", import.meta.url);
const page = new URL("../docs/maintainers/console-actions.md", import.meta.url);

/** A part of a JSON Schema. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

interface Description {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Description>>>>;

const basePath = "/api/v1";

/** Names of commands for which those of their paths would be odd or taken. */
const names: Readonly<Record<string, string>> = {
  "GET /calls/{id}/content": "calls content",
  "POST /keys/{id}/recording": "keys record",
  "DELETE /keys/{id}/recording": "keys stop-recording",
  "POST /users/{id}/recording": "users record",
  "DELETE /users/{id}/recording": "users stop-recording",
  "GET /codes/{id}/codes": "codes list-codes",
  "POST /codes/{id}/codes/{code}/enable": "codes enable-code",
  "POST /codes/{id}/codes/{code}/disable": "codes disable-code",
  "POST /models/{id}/prices": "models set-price",
  "DELETE /models/{id}/prices": "models delete-prices",
  "DELETE /models/{id}/prices/{from}": "models delete-price",
  "POST /models/{id}/members": "models set-members",
  "DELETE /models/{id}/members": "models delete-members",
  "GET /tokens/current": "tokens current",
  "GET /upstreams/{id}/available-models": "upstreams available-models",
  "POST /upstreams/{id}/credentials": "upstreams add-credentials",
  "DELETE /upstreams/{id}/credentials/{credential}": "upstreams remove-credential",
  "POST /wallets/{user_id}/grants": "wallets grant",
  "POST /wallets/{user_id}/adjustments": "wallets adjust",
};

/**
 * The operations of the management API as the command line needs them. `tools/cli_operations.ts`
 * writes them, and their commands into the table of the console's actions; `--check` exits with 1 when one
 * is stale.
 */
function readOperations(): CliOperation[] {
  const paths = describeManagement().paths as unknown as Paths; // `describe` writes this part of OpenAPI
  const gets = new Set(Object.keys(paths).filter((path) => paths[path].get));
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => operationOf(path, method, { one, gets }))
  ).filter(({ words }) => words.length > 1);
  assertDistinct(all.map(({ words }) => words.join(" ")));
  return all;
}

/** A command can be neither another one nor the beginning of another one. */
function assertDistinct(commands: readonly string[]): void {
  const clash = commands.find((one, at) =>
    commands.some((other, otherAt) => at !== otherAt && `${other} `.startsWith(`${one} `))
  );
  if (clash !== undefined) throw new Error(`${clash} is several commands: add a row to names`);
}

function operationOf(
  full: string,
  method: string,
  { one, gets }: { readonly one: Description; readonly gets: ReadonlySet<string> },
): CliOperation {
  const path = full.slice(basePath.length);
  const query = (one.parameters ?? []).filter((parameter) => parameter.in === "query")
    .map(({ name, required, description, schema }) =>
      fieldOf(name, { description, ...schema }, required)
    );
  const body = one.requestBody && fieldsOf(one.requestBody.content["application/json"].schema);
  const isList = method === "get" && query.some(({ name }) => name === "cursor");
  const scope = /`([^`]+)`/.exec(one.description ?? "")?.[1];
  return {
    words: wordsOf(path, method, { isList, isCollection: gets.has(full) }),
    method: method.toUpperCase(),
    path,
    summary: one.summary,
    ...(scope && { scope }),
    query,
    ...(body && { body }),
    ...(isList && { isList }),
  };
}

/** The words of a command: `GET /keys/{id}` is `keys get`, `POST /keys/{id}/rotate` `keys rotate`. */
function wordsOf(
  path: string,
  method: string,
  { isList, isCollection }: { readonly isList: boolean; readonly isCollection: boolean },
): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  const words = parts.filter((part) => !part.startsWith("{"));
  const given = names[`${method.toUpperCase()} ${path}`];
  if (given) return given.split(" ");
  const isAction = method === "post" && !isCollection && words.length > 1;
  if (isAction) return words;
  const verbs: Readonly<Record<string, string>> = {
    get: isList ? "list" : "get",
    post: "create",
    patch: "update",
    put: "set",
    delete: "delete",
  };
  return [...words, verbs[method]];
}

function fieldsOf({ properties = {}, required = [] }: Schema): ApiField[] {
  return Object.entries(properties).map(([name, schema]) => {
    const field = fieldOf(name, schema, required.includes(name));
    if (field.type === "time") return { ...field, isFuture: true as const };
    const fields = field.type === "json" && field.required ? membersOf(schema) : [];
    return fields.length > 0 ? { ...field, fields } : field;
  });
}

/** The members of an object that have options of their own. */
function membersOf(schema: Schema): ApiField[] {
  return fieldsOf(schema).filter(({ type }) => type !== "json")
    .map(({ required: _, ...field }) => field);
}

function fieldOf(name: string, schema: Schema, isRequired = false): ApiField {
  const options = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const nullable = schema.anyOf?.some(({ type }) => type === "null") ||
    (Array.isArray(schema.type) && schema.type.includes("null"));
  const bare = options.length === 1 ? { ...schema, ...options[0] } : schema;
  const description = schema.description ?? bare.description;
  const choices = bare.enum?.filter((value) => typeof value === "string");
  return {
    name,
    ...(options.length > 1 ? { type: "json" as const } : typeOf(bare)),
    ...(description && { description }),
    ...(isRequired && { required: true as const }),
    ...(nullable && { nullable: true as const }),
    ...(choices && choices.length > 0 && { choices }),
  };
}

function typeOf(
  { type, format, items, properties, additionalProperties }: Schema,
): Pick<ApiField, "type" | "of" | "names"> {
  const simple = simpleType(type);
  if (simple === "string" && format === "date-time") return { type: "time" };
  if (simple) return { type: simple };
  const of = type === "array" ? simpleType(items?.type) : undefined;
  if (of) return { type: "list", of };
  if (type !== "object") return { type: "json" };
  const values = properties
    ? Object.values(properties).map((one) => simpleType(fieldTypeOf(one)))
    : [
      typeof additionalProperties === "object"
        ? simpleType(fieldTypeOf(additionalProperties))
        : undefined,
    ];
  const [first] = values;
  const isSame = first !== undefined && values.every((value) => value === first);
  if (!isSame) return { type: "json" };
  return { type: "record", of: first, ...(properties && { names: Object.keys(properties) }) };
}

/** The type of a schema that may be null. */
function fieldTypeOf({ type, anyOf }: Schema): Schema["type"] {
  return anyOf?.find((one) => one.type !== "null")?.type ?? type;
}

function simpleType(type: Schema["type"]): ApiField["of"] | undefined {
  const [one] = Array.isArray(type) ? type.filter((name) => name !== "null") : [type];
  if (one === "string" || one === "boolean") return one;
  return one === "integer" || one === "number" ? "number" : undefined;
}

/** The table of the console's actions with the commands of each row. */
function withCommands(markdown: string, operations: readonly CliOperation[]): string {
  const commands = new Map(
    operations.map(({ method, path, words }) => [`${method} ${path}`, words.join(" ")]),
  );
  return markdown.split("\n").map((line) => {
    const [, route, api, command] = line.split("|").map((cell) => cell.trim());
    if (!route?.startsWith("`/console") || command === undefined) return line;
    const named = [...api.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, name]) => commands.get(name));
    const expected = api.startsWith("–")
      ? ""
      : named.filter((name) => name !== undefined).map((name) => `\`${name}\``).join(", ");
    return command === expected ? line : `| ${route} | ${api} | ${expected} |`;
  }).join("\n");
}

/** Writes a file if its text has changed. Returns true if it has and `isCheck` is set. */
function isStale(file: URL, text: string, isCheck: boolean): boolean {
  if (Deno.readTextFileSync(file) === text) return false;
  if (!isCheck) Deno.writeTextFileSync(file, text);
  return isCheck;
}

if (import.meta.main) {
  const isCheck = Deno.args.includes("--check");
  const operations = readOperations();
  const text = JSON.stringify(operations, undefined, 2) + "\n";
  const stale = [
    isStale(file, text, isCheck),
    isStale(page, withCommands(Deno.readTextFileSync(page), operations), isCheck),
  ];
  if (stale.includes(true)) {
    console.error(
      "The command line is stale: run deno run -A tools/cli_operations.ts and deno fmt",
    );
    Deno.exit(1);
  }
}
