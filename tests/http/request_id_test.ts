import { assert, assertEquals, assertMatch } from "@std/assert";
import { newRequestId } from "../../lib/http/call.ts";

Deno.test("request ids are unique, and sort by time", () => {
  const times = [0, 1, 1_763_800_000_000, 1_763_800_000_001, Date.now(), 2 ** 48 - 1];
  const ids = times.map((atMs) => newRequestId(atMs));
  assertEquals(ids, ids.toSorted());
  const many = new Set(Array.from({ length: 20_000 }, () => newRequestId(times[2])));
  assertEquals(many.size, 20_000);
  for (const id of many) {
    assertMatch(id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert(id.startsWith(ids[2].slice(0, 14)));
  }
});
