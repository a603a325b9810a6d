import { assert, assertEquals } from "@std/assert";
import {
  calledTool,
  callerToolName,
  type FunctionTool,
  toolNamed,
  wireToolName,
} from "../../lib/canonical/mod.ts";

const plain = /^[A-Za-z0-9_-]{1,64}$/;
const lettered = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

function tool(name: string, namespace?: string): FunctionTool {
  return { type: "function", name, ...(namespace !== undefined && { namespace }) };
}

const names = ["plain", "1st.tool", "größe", "-", "a".repeat(200), "mcp/server tool", "日本語"];

for (const pattern of [plain, lettered]) {
  Deno.test(`wireToolName gives a name that ${pattern} takes, and callerToolName the caller's own back`, () => {
    const restored = callerToolName(names.map((name) => tool(name)));
    for (const name of names) {
      const wire = wireToolName({ name }, pattern);
      assert(pattern.test(wire), wire);
      assertEquals(wire, wireToolName({ name }, pattern));
      assertEquals(restored(wire), name);
    }
    assertEquals(restored("unknown"), "unknown");
  });
}

Deno.test("wireToolName keeps 55 characters and eight of the hash", () => {
  const wire = wireToolName({ name: "ä".repeat(70) }, plain);
  assert(/^_{55}_[0-9a-f]{8}$/.test(wire), wire);
  assertEquals(wireToolName({ name: "get", namespace: "files" }, plain), "files__get");
});

Deno.test("calledTool prefers a tool's own name to another's short one", () => {
  const short = wireToolName({ name: "a b" }, plain);
  const called = calledTool([tool("a b"), tool(short), tool("get", "files"), tool("get")]);
  assertEquals(called(short), tool(short));
  assertEquals(called("get"), tool("get"));
  assertEquals(called("files__get"), tool("get", "files"));
  assertEquals(calledTool([tool("get", "files")])("get"), tool("get", "files"));
  assertEquals(called("nobody"), undefined);
});

Deno.test("toolNamed gives the declared tool, or the name alone", () => {
  assertEquals(toolNamed([tool("get", "files")])("get"), tool("get", "files"));
  assertEquals(toolNamed([])("set"), { name: "set" });
});
