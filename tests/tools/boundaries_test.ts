import { assertEquals } from "@std/assert";
import { arrows } from "../../tools/boundaries/arrows.ts";
import { breachesIn, ringsIn } from "../../tools/boundaries.ts";

function breaches(files: Readonly<Record<string, string>>): string[] {
  return breachesIn(new Map(Object.entries(files)));
}

const upward = "lib/ledger/a.ts imports lib/gateway/b.ts: lib/ledger may not import lib/gateway";

const ways: Readonly<Record<string, string>> = {
  "import": 'import { b } from "../gateway/b.ts";',
  "import in lines": 'import {\n  b,\n} from "../gateway/b.ts";',
  "import for its effects": 'import "../gateway/b.ts";',
  "import type": 'import type { B } from "../gateway/b.ts";',
  "import of an inline type": 'import { type B } from "../gateway/b.ts";',
  "import in a type": 'type B = import("../gateway/b.ts").B;',
  "dynamic import": 'const b = await import("../gateway/b.ts");',
  "re-export": 'export { b } from "../gateway/b.ts";',
  "re-export of a type": 'export type { B } from "../gateway/b.ts";',
  "worker": 'new Worker(new URL("../gateway/b.ts", import.meta.url));',
};

for (const [name, text] of Object.entries(ways)) {
  Deno.test(`boundaries: an upward arrow is refused as ${name}`, () => {
    assertEquals(breaches({ "lib/ledger/a.ts": text }), [upward]);
  });
}

const refused: readonly { readonly name: string; readonly files: Record<string, string> }[] = [
  { name: "an unknown area", files: { "lib/new/a.ts": 'import "../http/b.ts";' } },
  { name: "an import of an unknown area", files: { "lib/http/a.ts": 'import "../new/mod.ts";' } },
  {
    name: "a circle of values",
    files: { "lib/http/a.ts": 'import "./b.ts";', "lib/http/b.ts": 'import "./a.ts";' },
  },
  {
    name: "a circle of types",
    files: {
      "lib/http/a.ts": 'import type { B } from "./b.ts";',
      "lib/http/b.ts": 'import { type A } from "./a.ts";',
    },
  },
  { name: "a folder's inner file", files: { "lib/http/a.ts": 'import "../canonical/usage.ts";' } },
  {
    name: "a component in lib",
    files: { "lib/console/load.ts": 'import "../../components/A.tsx";' },
  },
  { name: "a tool in lib", files: { "lib/console/load.ts": 'import "../../tools/build.ts";' } },
  {
    name: "the console in the management API",
    files: { "lib/management/a.ts": 'import "../console/keys/b.ts";' },
  },
  {
    name: "the console's texts in the management API",
    files: { "lib/management/a.ts": 'import "../console/i18n/mod.ts";' },
  },
  {
    name: "the management API in the console",
    files: { "lib/console/keys/a.ts": 'import "../../management/mod.ts";' },
  },
  {
    name: "the console in what it shares with the management API",
    files: { "lib/admin/a.ts": 'import "../console/i18n/mod.ts";' },
  },
  { name: "a page's noun in page/", files: { "lib/console/page/a.ts": 'import "../keys/b.ts";' } },
  { name: "a noun in the design system", files: { "components/A.tsx": 'import "./keys/B.tsx";' } },
  {
    name: "a noun's component that runs on the server alone in an island",
    files: { "islands/A.tsx": 'import "../components/keys/B.tsx";' },
  },
  { name: "another format", files: { "lib/formats/messages/a.ts": 'import "../responses/b.ts";' } },
  { name: "Deno KV outside the store", files: { "lib/ledger/a.ts": "await Deno.openKv();" } },
  { name: "fetch outside its transport", files: { "lib/ledger/a.ts": "await fetch(url);" } },
  { name: "the environment outside main.ts", files: { "lib/ledger/a.ts": 'Deno.env.get("A");' } },
];

for (const { name, files } of refused) {
  Deno.test(`boundaries: refused is ${name}`, () => assertEquals(breaches(files).length, 1));
}

Deno.test("boundaries: downward arrows, doors and comments pass", () => {
  assertEquals(
    breaches({
      "lib/gateway/a.ts": 'import { b } from "../ledger/mod.ts";\nimport "./c.ts";',
      "lib/console/keys/a.ts": 'import type { View } from "../page/view.ts";',
      "islands/A.tsx": 'import "../components/playground/B.tsx";',
      "routes/keys.tsx": 'import "../components/keys/A.tsx";',
      "tests/a.ts": 'import "../lib/ledger/hold.ts";',
      "lib/ledger/a.ts": '/** Not `import "../gateway/b.ts"`. */\n// import("../gateway/b.ts")',
    }),
    [],
  );
});

Deno.test("boundaries: the table itself has no ring", () => {
  assertEquals(ringsIn(arrows), []);
  assertEquals(ringsIn({ a: ["b"], b: ["a"] }).length, 1);
});
