import { type Command, Option } from "commander";
import type { Json, JsonRecord } from "./client.ts";
import {
  type ApiField,
  budgetValue,
  type CliOperation,
  noteOf,
  optionName,
  placeholder,
  valueOf,
} from "./operation.ts";
import { CommandError } from "./terminal.ts";

/** The query, the body and the headers of a request, as a command's options name them. */
interface RequestParts {
  readonly query: Readonly<Record<string, string>>;
  readonly body?: JsonRecord;
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds an option for each field of an operation's query and body. */
export function addRequestOptions(
  command: Command,
  { query, body, isList, method, path }: CliOperation,
): void {
  for (const field of [...query, ...(body ?? []).flatMap(withMembers)]) {
    command.addOption(optionOf(field));
  }
  if (isList) command.option("--all", "follow the pages to the end");
  if (hasBudgets(body)) {
    command.addOption(
      new Option(
        "--budget <amount/period>",
        "a budget in US dollars, such as 5/day, or 5/5h for any 5 hours; repeatable",
      )
        .argParser((text: string, before: JsonRecord = {}) => ({
          ...before,
          ...budgetValue(text),
        })),
    );
  }
  if (body) command.option("--data <json>", "fields as JSON, or @FILE; options override them");
  if (method === "POST") {
    command.option("--idempotency-key <text>", "perform the request once within 24 hours");
  }
  if (method !== "GET" && path.includes("{")) {
    command.option("--if-match <etag>", "refuse the change if the object has changed since");
  }
}

/** A field, and before it those of its members that have options of their own. */
function withMembers({ fields = [], ...field }: ApiField): readonly ApiField[] {
  if (fields.length === 0) return [field];
  const { required: _, ...whole } = field;
  return [...fields, { ...whole, description: "the whole object, instead of the options above" }];
}

function optionOf(field: ApiField): Option {
  const value = placeholder(field);
  const name = optionName(field);
  const flags = field.type === "boolean" ? `--${name} [${value}]` : `--${name} <${value}>`;
  const option = new Option(flags, noteOf(field))
    .argParser((text: string): ReadValue => ({ value: checkedValue(field, text) }));
  if (field.choices && !value.includes("|")) option.argChoices = [...field.choices]; // for the help
  return option;
}

/** The value of an option; wrapped, because `commander` takes a null for a missing value. */
interface ReadValue {
  readonly value: Json;
}

function checkedValue(field: ApiField, text: string): Json {
  const { choices } = field;
  const isKnown = choices === undefined || choices.includes(text) ||
    (field.nullable && text === "none");
  if (isKnown || field.type !== "string") return valueOf(field, text);
  throw new CommandError("usage", `--${optionName(field)} needs one of ${choices.join(", ")}`);
}

/** Reads what the options of a command request. Throws `CommandError`. */
export async function readRequest(
  { query, body }: CliOperation,
  options: Readonly<Record<string, unknown>>,
): Promise<RequestParts> {
  const given = (fields: readonly ApiField[]) =>
    fields.map((field) =>
      [field.name, options[camelCase(optionName(field))] as ReadValue | true | undefined] as const
    ).filter(([, read]) => read !== undefined)
      .map(([name, read]) =>
        [name, read === true || read === undefined ? true : read.value] as const
      );
  const { ifMatch, idempotencyKey, budget, data } = options;
  const inQuery = given(query).map(([name, value]) => [name, String(value)]);
  return {
    query: Object.fromEntries(inQuery),
    ...(body &&
      { body: await bodyOf(body, givenIn(body, given), { budget, data }) }),
    headers: {
      ...(typeof ifMatch === "string" && { "if-match": ifMatch }),
      ...(typeof idempotencyKey === "string" && { "idempotency-key": idempotencyKey }),
    },
  };
}

/** The given fields of a body; the options of an object's members are members of it. */
function givenIn(
  body: readonly ApiField[],
  given: (fields: readonly ApiField[]) => (readonly [string, unknown])[],
): Record<string, unknown> {
  const objects = body.flatMap(({ name, fields = [] }) => {
    const members = given(fields);
    return members.length > 0 ? [[name, Object.fromEntries(members)] as const] : [];
  });
  return Object.fromEntries([...objects, ...given(body)]);
}

async function bodyOf(
  fields: readonly ApiField[],
  given: Readonly<Record<string, unknown>>,
  { budget, data }: { readonly budget?: unknown; readonly data?: unknown },
): Promise<JsonRecord> {
  const written = typeof data === "string" ? await readData(data) : {};
  const budgets = budget === undefined
    ? {}
    : { budgets: { ...written.budgets as object, ...budget as object } };
  const body = { ...written, ...budgets, ...given } as JsonRecord; // options are read as JSON
  const missing = fields.find(({ name, required }) => required && !(name in body));
  if (missing === undefined) return body;
  const members = missing.fields?.map((field) => `--${optionName(field)}`).slice(0, 2) ?? [];
  const options = members.length > 0 ? members.join(" and ") : `--${optionName(missing)}`;
  throw new CommandError(
    "usage",
    `${options} ${members.length > 0 ? "are" : "is"} missing`,
  );
}

async function readData(data: string): Promise<JsonRecord> {
  try {
    const text = data.startsWith("@") ? await Deno.readTextFile(data.slice(1)) : data;
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as JsonRecord;
    }
  } catch { /* reported below */ }
  throw new CommandError("usage", "--data needs a JSON object, or @ and the path of a file");
}

function hasBudgets(body: readonly ApiField[] | undefined): boolean {
  return body?.some(({ name }) => name === "budgets") ?? false;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
