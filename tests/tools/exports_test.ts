import { assertEquals } from "@std/assert";
import { repeatedExports, unusedExports } from "../../tools/exports/exports.ts";

const user = "export interface Account {}";

function sources(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(files));
}

Deno.test("exports: an export without an importer is refused", () => {
  const files = { "lib/a.ts": user, "lib/b.ts": 'import type { Other } from "./a.ts";' };
  assertEquals(unusedExports(sources(files)), [
    "lib/a.ts exports Account, which nobody imports",
  ]);
});

Deno.test("exports: imports, re-exports and whole modules are uses", () => {
  for (
    const text of [
      'import type { Account } from "./a.ts";',
      'import { type Account as Owner } from "./a.ts";',
      'const a = await import("./a.ts");',
      'type A = import("./a.ts").Account;',
    ]
  ) assertEquals(unusedExports(sources({ "lib/a.ts": user, "lib/b.ts": text })), []);
  const unusedDoor = { "lib/a.ts": user, "lib/mod.ts": 'export type { Account } from "./a.ts";' };
  assertEquals(unusedExports(sources(unusedDoor)), [
    "lib/mod.ts exports Account, which nobody imports",
  ]);
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
