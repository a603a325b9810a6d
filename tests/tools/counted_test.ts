import { assertEquals } from "@std/assert";
import { counted } from "../../tools/task.ts";

Deno.test("counted: the noun is plural except after one, and thousands are separated", () => {
  assertEquals(
    [0, 1, 2, 12_345].map((count) => counted(count, "call")),
    ["0 calls", "1 call", "2 calls", "12,345 calls"],
  );
});
