import { assertEquals } from "@std/assert";
import { withChanges } from "../../lib/routing/mod.ts";
import { upstream } from "./upstreams.ts";

Deno.test("withChanges reports upstreams that were changed or removed, and no others", () => {
  let list = [upstream("same"), upstream("moved"), upstream("gone")];
  const changed: string[] = [];
  const upstreams = withChanges(() => list, (id) => changed.push(id));
  assertEquals(upstreams(), list);
  list = [
    upstream("same"),
    upstream("moved", { endpoints: { messages: "http://y" } }),
    upstream("new"),
  ];
  assertEquals([upstreams(), changed], [list, ["moved", "gone"]]);
  upstreams();
  assertEquals(changed, ["moved", "gone"]);
});
