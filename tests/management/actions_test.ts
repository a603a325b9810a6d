import { assert, assertEquals } from "@std/assert";
import { lexer, type Tokens } from "marked";
import { operations } from "../../lib/management/mod.ts";
import { consoleRoutes } from "../console/routes.ts";

const page = await Deno.readTextFile(
  new URL("../../docs/maintainers/console-actions.md", import.meta.url),
);
const routes = new URL("../../routes", import.meta.url);

/** The rows of the table of actions: a route of the console, and its operations. */
const rows = lexer(page).filter((token): token is Tokens.Table => token.type === "table")
  .filter(({ header }) => header[0].text === "console")
  .flatMap((table) =>
    table.rows.map(([route, api]) => ({ route: route.text.replaceAll("`", ""), api: api.text }))
  );

const served = new Set(operations.map(({ method, path }) => `${method} ${path}`));

/** The operations that a cell names, such as `POST /keys/{id}/rotate`. */
function operationsIn(cell: string): string[] {
  return [...cell.matchAll(/`((?:GET|POST|PATCH|DELETE) [^`]+)`/g)].map(([, name]) => name);
}

/** Every address of the console that takes a form. */
const actions = consoleRoutes.map(({ pattern }) => pattern)
  .filter((pattern) => pattern.startsWith("/console") && takesForm(pattern));

function takesForm(pattern: string): boolean {
  const files = ["", "/index"].flatMap((end) => ["ts", "tsx"].map((type) => `${end}.${type}`));
  const source = files.map((end) => readIfThere(`${routes.pathname}${pattern}${end}`)).join("");
  assert(source !== "", pattern);
  return /\bPOST\s*[(:]|defineForm</.test(source);
}

function readIfThere(file: string): string {
  try {
    return Deno.readTextFileSync(file);
  } catch {
    return "";
  }
}

Deno.test("management: the console takes forms at more than forty addresses", () => {
  assert(actions.length > 40, String(actions.length));
});

for (const action of actions) {
  Deno.test(`management: ${action} has an operation of the API, or a reason for having none`, () => {
    const row = rows.find(({ route }) => route === action);
    assert(row, `${action} is not in the table of docs/maintainers/console-actions.md`);
    if (/^– \w/.test(row.api)) return;
    const named = operationsIn(row.api);
    assert(named.length > 0, row.api);
    assertEquals(named.filter((name) => !served.has(name)), []);
  });
}

Deno.test("management: the table names no address that the console lacks", () => {
  assertEquals(rows.map(({ route }) => route).filter((route) => !actions.includes(route)), []);
});
