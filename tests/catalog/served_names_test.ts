import { assert, assertEquals } from "@std/assert";
import { servedNames } from "../../lib/catalog/mod.ts";

Deno.test("servedNames gives a name as it is, and of a pattern what is known to match it", () => {
  assertEquals(servedNames("acme-large", ["other"]), ["acme-large"]);
  const names = servedNames("claude-*", ["claude-of-mine", "gpt-of-mine"]);
  assert(names.includes("claude-of-mine") && names.length > 5, `${names}`);
  assert(names.every((name) => name.startsWith("claude-")));
});

Deno.test("servedNames takes of `*` only what is recorded: it says nothing of what there is", () => {
  assertEquals(servedNames("*", ["one", "two"]), ["one", "two"]);
});
