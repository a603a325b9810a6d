import { assertEquals, assertRejects } from "@std/assert";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { readTables } from "../../../tools/migration/tables/tables.ts";
import { bcryptHash, makeNewApi, newApiKey, newApiMysqlDump } from "./new_api_sample.ts";
import { litellmDump } from "./litellm_sample.ts";
import { withFiles } from "./temp_files.ts";

/** Reads a dump, given as a text or as bytes. */
async function read(dump: string | Uint8Array, names: readonly string[], file = "dump.sql") {
  let tables: Record<string, unknown> = {};
  await withFiles({ [file]: dump }, async (folder) => {
    tables = Object.fromEntries(await readTables(`${folder}/${file}`, names));
  });
  return tables;
}

Deno.test("tables: mysqldump with escapes, comments, and rows without columns", async () => {
  assertEquals(await read(newApiMysqlDump, ["users", "tokens"]), {
    users: [
      {
        id: 7,
        username: "o'neil",
        password: bcryptHash,
        display_name: "L\\ine\nbreak; 'two'",
        quota: 1_500_000,
        group: "default",
      },
      { id: 8, username: "张三", password: "x", display_name: "", quota: -5, group: "default" },
    ],
    tokens: [{ id: 1, user_id: 7, key: newApiKey, name: "k", unlimited_quota: 1 }],
  });
});

Deno.test("tables: a dump reads the same in pieces of any size, in UTF-16 and compressed", async () => {
  const whole = await read(newApiMysqlDump, ["users", "tokens"]);
  const utf16 = new Uint8Array(
    new Uint16Array(
      [0xfeff, ...Array.from(newApiMysqlDump, (char) => char.charCodeAt(0))],
    ).buffer,
  );
  assertEquals(await read(utf16, ["users", "tokens"]), whole);
  const packed = new Blob([newApiMysqlDump]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  assertEquals(await read(bytes, ["users", "tokens"], "dump.sql.gz"), whole);
});

Deno.test("tables: pg_dump with COPY, and with INSERT", async () => {
  const copied = await read(litellmDump, ["LiteLLM_TeamTable"]);
  const row = {
    team_id: "team-1",
    team_alias: "Research & more",
    models: '{gpt-4o,"local"}',
    max_budget: "90",
    budget_duration: "90d",
    spend: "12.5",
    blocked: "f",
  };
  assertEquals(copied, { LiteLLM_TeamTable: [row] });
  const inserted = `-- PostgreSQL database dump
INSERT INTO public."T" (a, b, c, d, e) VALUES ('x\\y', E'l\\n''', ARRAY['p', 'q']::text[], true, NULL);
INSERT INTO public."T" (a, b, c, d, e) VALUES ('{"k": "v;"}'::jsonb, 'raw
line', '{}', false, -1.5e3);
-- PostgreSQL database dump complete
`;
  assertEquals(await read(inserted, ["T"]), {
    T: [
      { a: "x\\y", b: "l\n'", c: ["p", "q"], d: true },
      { a: '{"k": "v;"}', b: "raw\nline", c: "{}", d: false, e: -1500 },
    ],
  });
});

Deno.test("tables: SQLite's own dump, in which GORM's backticks are no sign of MySQL", async () => {
  const dump = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE \`users\` (\`id\` integer,\`name\` text DEFAULT "a,(b");
INSERT INTO users VALUES(1,'back\\slash');
INSERT INTO users VALUES(2,unistr('two\\u000alines'));
COMMIT;
`;
  assertEquals(await read(dump, ["users"]), {
    users: [{ id: 1, name: "back\\slash" }, { id: 2, name: "two\nlines" }],
  });
});

Deno.test("tables: a SQLite file, and CSV files in a folder", async () => {
  await withFiles({ "users.csv": '\ufeffid,name\n1,"a, ""b""\nc"\n2,\n' }, async (folder) => {
    makeNewApi(`${folder}/one-api.db`);
    const { length } = (await readTables(`${folder}/one-api.db`, ["tokens"])).get("tokens") ?? [];
    assertEquals(length, 4);
    assertEquals((await readTables(folder, ["users"])).get("users"), [
      { id: "1", name: 'a, "b"\nc' },
      { id: "2" },
    ]);
  });
});

const cutLines = litellmDump.split("\n");
const refused: readonly {
  readonly name: string;
  readonly file?: string;
  readonly dump: string | Uint8Array;
  readonly reason: RegExp;
}[] = [
  { name: "an empty file", dump: "", reason: /neither a SQLite database nor a plain SQL dump/ },
  { name: "another text", dump: "hello", reason: /neither a SQLite|cut/ },
  {
    name: "MySQL, cut in a text",
    dump: newApiMysqlDump.slice(0, newApiMysqlDump.indexOf("张三")),
    reason: /was cut/,
  },
  {
    name: "MySQL, cut between statements",
    dump: newApiMysqlDump.slice(0, newApiMysqlDump.indexOf("-- Dump completed")),
    reason: /was cut/,
  },
  {
    name: "PostgreSQL, cut in COPY",
    dump: cutLines.slice(0, 25).join("\n"),
    reason: /was cut/,
  },
  {
    name: "a row with too few values",
    dump: "INSERT INTO users (a, b) VALUES (1);\n",
    reason: /a row has 1 values for 2 columns/,
  },
  {
    name: "an INSERT without known columns",
    dump: "INSERT INTO users VALUES (1);\n",
    reason: /without its columns/,
  },
  {
    name: "an INSERT of expressions",
    dump: "INSERT INTO users (a) VALUES (secret_function(1));\n",
    reason: /cannot be read at its character/,
  },
  { name: "pg_dump's custom format", dump: "PGDMP\x01\x0e", reason: /pg_restore/ },
  {
    name: "Latin-1",
    dump: new Uint8Array([...new TextEncoder().encode("INSERT INTO users "), 0xe9, 0x20, 0x3b]),
    reason: /not in UTF-8/,
  },
  {
    name: "a damaged gzip",
    file: "dump.sql.gz",
    dump: new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0]),
    reason: /damaged/,
  },
  { name: "a cut CSV", file: "users.csv", dump: 'id,name\n1,"a\n', reason: /is cut/ },
  {
    name: "a CSV of another table",
    file: "other.csv",
    dump: "id\n1\n",
    reason: /named like a table/,
  },
];

for (const { name, file = "dump.sql", dump, reason } of refused) {
  Deno.test(`tables: refuses ${name}`, async () => {
    const error = await assertRejects(
      () => read(dump, ["users", "tokens", "LiteLLM_TeamTable"], file),
      ImportRefusal,
    );
    assertEquals(reason.test(error.reason), true, error.reason);
  });
}

Deno.test("tables: refuses a SQLite file that was cut", async () => {
  await withFiles({}, async (folder) => {
    makeNewApi(`${folder}/whole.db`);
    const bytes = await Deno.readFile(`${folder}/whole.db`);
    await Deno.writeFile(`${folder}/cut.db`, bytes.subarray(0, bytes.length >> 1));
    const reading = () => readTables(`${folder}/cut.db`, ["channels", "users", "tokens"]);
    const { reason } = await assertRejects(reading, ImportRefusal);
    assertEquals(/damaged or cut/.test(reason), true, reason);
  });
});

Deno.test("tables: pg_dump whose header of COPY is at the edge of a read", async () => {
  const columns = Array.from({ length: 40 }, (_, at) => `column_number_${at}`);
  const header = `COPY public."T" (${columns.join(", ")}) FROM stdin;\n`;
  const rest = `${header}${columns.join("\t")}\n\\.\n\nSELECT 1;\n` +
    "-- PostgreSQL database dump complete\n";
  const head = "-- PostgreSQL database dump\n";
  for (let edge = 1; edge <= header.length; edge += 40) { // characters of it in the first 64 KiB
    const padding = `-- ${"x".repeat(65_536 - head.length - 4 - edge)}\n`;
    const { T } = await read(`${head}${padding}${rest}`, ["T"]) as Record<string, unknown[]>;
    assertEquals(T?.length, 1, `${edge} characters`);
  }
});
