import { assertEquals } from "@std/assert";
import { repeatedExports, unusedExports } from "../../tools/exports.ts";

const user = "export interface Account {}";

function sources(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(files));
}

/** A file with two exports, imported by the text of another file. */
function unusedWith(text: string): string[] {
  const both = `${user}\nexport const limit = 1;`;
  return unusedExports(sources({ "lib/a.ts": both, "lib/b.ts": text }));
}

const unusedAccount = "lib/a.ts exports Account, which nobody imports";
const unusedLimit = "lib/a.ts exports limit, which nobody imports";

Deno.test("exports: an export without an importer is refused", () => {
  assertEquals(unusedWith('import type { Other } from "./a.ts";'), [unusedAccount, unusedLimit]);
});

const named: Readonly<Record<string, string>> = {
  "an import": 'import type { Account } from "./a.ts";',
  "an import under another name": 'import { type Account as Owner } from "./a.ts";',
  "an import beside the default": 'import a, { Account } from "./a.ts";',
  "an import of several lines":
    'import {\n  // its owner, limit, and its keys\n  type Account,\n} from "./a.ts";',
  "a type's import": 'type A = import("./a.ts").Account;',
  "a type's import of several lines": 'type A = import(\n  "./a.ts"\n)\n  .Account;',
};

for (const [name, text] of Object.entries(named)) {
  Deno.test(`exports: ${name} uses the names that it lists`, () => {
    assertEquals(unusedWith(text), [unusedLimit]);
  });
}

const whole: Readonly<Record<string, string>> = {
  "a namespace": 'import * as a from "./a.ts";',
  "a namespace of types": 'import type * as a from "./a.ts";',
  "a re-export of everything": 'export * from "./a.ts";',
  "a dynamic import": 'const a = await import("./a.ts");',
  "a member of a dynamic import": 'const { Account } = (await import("./a.ts")).default;',
  "a dynamic import that is chained": 'import("./a.ts").then(start);',
  "a worker": 'new Worker(new URL("./a.ts", import.meta.url), { type: "module" });',
};

for (const [name, text] of Object.entries(whole)) {
  Deno.test(`exports: ${name} uses all of a file`, () => assertEquals(unusedWith(text), []));
}

Deno.test("exports: a re-export without an importer is refused", () => {
  const unusedDoor = { "lib/a.ts": user, "lib/mod.ts": 'export type { Account } from "./a.ts";' };
  assertEquals(unusedExports(sources(unusedDoor)), [
    "lib/mod.ts exports Account, which nobody imports",
  ]);
});

Deno.test("exports: a list exports the names that it gives", () => {
  const listed = "const account = 1;\nexport { account as owner };";
  const importer = (name: string) => `import { ${name} } from "./a.ts";`;
  const unused = (name: string) =>
    unusedExports(sources({ "lib/a.ts": listed, "lib/b.ts": importer(name) }));
  assertEquals(unused("account"), ["lib/a.ts exports owner, which nobody imports"]);
  assertEquals(unused("owner"), []);
});

const repeated: Readonly<Record<string, string>> = {
  "a type": "export type Account = string;",
  "a class": "export class Account {}",
  "a function": "export async function Account() {}",
  "a generator": "export async function* Account() {}",
  "a value": "export const Account = 1;",
  "an island": "export default function Account() {}",
};

for (const [name, text] of Object.entries(repeated)) {
  Deno.test(`exports: a name is refused that ${name} of another file has too`, () => {
    assertEquals(repeatedExports(sources({ "lib/a.ts": user, "islands/B.tsx": text })), [
      "Account is exported by lib/a.ts and islands/B.tsx: give each its own name",
    ]);
  });
}

Deno.test("exports: overloads, re-exports, codecs, translations and tests may repeat a name", () => {
  const passed: Readonly<Record<string, string>> = {
    "lib/mod.ts": 'export type { Account } from "./a.ts";',
    "lib/formats/messages/a.ts": user,
    "lib/console/i18n/zh_cn/a.ts": user,
    "tests/a.ts": user,
    "lib/overloads.ts": "export function other(a: 1): 1;\nexport function other(a: 2): 2;",
  };
  assertEquals(repeatedExports(sources({ "lib/a.ts": user, ...passed })), []);
});
