import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startSeeded } from "./seeded_gateway.ts";

/** The head of each list, and a row of it. */
const tables: Readonly<Record<string, readonly [head: RegExp, row: RegExp]>> = {
  keys: [/NAME.*OWNER.*BUDGETS/, /ci +ada@example\.com +default +yes +0\.01\/total/],
  "usage --by user": [/NAME.*COST/, /^ada@example\.com .* 2 +0 +1200 +400 +0\.0096/m],
  "usage --by key": [/NAME.*OWNER/, /^ci +ada@example\.com +key_\S+ +2 /m],
  "usage --by key --step day": [/^FROM \(UTC\) +NAME/m, /^\d{4}-\d\d-\d\d +ci +ada@/m],
  "usage --by tag --tag-key team": [/NAME/, /^a +/m],
  models: [/\$\/M INPUT +CACHED +OUTPUT/, /^my-model .* 3 +— +15 +own/m],
  upstreams: [/HEALTH/, /^vendor +healthy +yes/m],
  projects: [/BUDGETS +SPENT 30 DAYS/, /^web +— +0\.0096/m],
  audit: [/^AT \(UTC\) +ACTOR +ACTION +KIND +OBJECT/m, /\S+@\S+.* key +ci /],
  calls: [/^AT \(UTC\) +ID +KEY/m, / ci +my-model +200 +completed +0\.0048/],
};

Deno.test("cli: tables show what one looks for", async () => {
  await using gateway = await startSeeded();
  for (const [command, [head, row]] of Object.entries(tables)) {
    const { code, out, err } = await gateway.cli(...command.split(" "));
    assertEquals(code, 0, err);
    assertMatch(out, head, command);
    assertMatch(out, row, command);
  }
  assertMatch((await gateway.cli("usage", "--from", "yesterday")).err, /^\S+ to .*, UTC/);
});

Deno.test("cli: names and addresses replace IDs, and ambiguous ones are refused", async () => {
  await using gateway = await startSeeded();
  const { api, cli } = gateway;
  const { id } = JSON.parse((await cli("users", "get", "Ada@Example.com", "--json")).out);
  assertStringIncludes((await cli("keys", "--user-id", "ada@example.com")).out, "ci");
  assertStringIncludes((await cli("calls", "--key-id", "ci")).out, "my-model");
  assertStringIncludes((await cli("codes", "get", "launch")).out, "launch");
  await cli("projects", "update", "web", "--administrators", "ada@example.com");
  const { body: { administrators } } = await api.ask("GET", "/projects/web");
  assertEquals(administrators, [id]);
  await cli("keys", "create", "--name", "ci");
  const { code, err } = await cli("keys", "delete", "ci");
  assertEquals(code, 1);
  assertMatch(err, /2 API keys have the name ci\. Use an ID: .*ada@example\.com/);
  assertEquals((await cli("keys", "get", "nobody")).code, 1);
  const { body } = await api.ask("GET", `/keys?user_id=${id}`);
  assertEquals(body.data.length, 1);
});

Deno.test("cli: a new key prints its secret first, and a price has options of its own", async () => {
  await using gateway = await startSeeded();
  const { cli, api } = gateway;
  const made = await cli("keys", "create", "--name", "new", "--expires-at", "90d");
  assertMatch(made.out, /^secret +sk-/);
  const price = ["--input", "3", "--output", "15", "--cached-input", "0.3"];
  assertEquals((await cli("models", "set-price", "my-model", ...price)).code, 0);
  const { body } = await api.ask("GET", "/models/my-model");
  assertEquals(body.price, { input: "3", output: "15", cached_input: "0.3" });
  assertEquals(
    (await cli("models", "set-price", "my-model")).err,
    "--input and --output are missing",
  );
  assertEquals((await cli("--version")).out, "0.1.0");
});

Deno.test("management: usage is sorted, and errors name what is missing and what there is", async () => {
  await using gateway = await startSeeded();
  const { api, cli } = gateway;
  const { err } = await cli("usage", "--by", "tag");
  assertStringIncludes(err, "by=tag needs tag_key");
  const unknown = await api.ask("POST", "/keys", { body: { nmae: "x" } });
  assertMatch(
    unknown.body.error.message,
    /^There is no field nmae\. Did you mean name\? The fields are name, group, user_id/,
  );
  const nested = await api.ask("PATCH", "/keys/ci", { body: { limits: { rpm: 1 } } });
  assertStringIncludes(nested.body.error.message, "The fields are requests_per_minute");
  const query = await api.ask("GET", "/usage?order=cost");
  assertStringIncludes(query.body.error.message, "sort, step");
  await cli("keys", "create", "--name", "idle");
  const rows = JSON.parse((await cli("usage", "--by", "key", "--sort", "requests", "--json")).out);
  assert(rows.data.length > 0);
  assertEquals(
    JSON.parse((await cli("calls", "--cost-over", "0.004", "--json")).out).data.length,
    2,
  );
  assertEquals((await cli("calls", "--cost-over", "0.005")).err, "None");
});
