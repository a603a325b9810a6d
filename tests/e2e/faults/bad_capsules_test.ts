import { assert, assertEquals } from "@std/assert";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { capsuleFrom, next, post } from "../compaction/capsules.ts";
import { startPair } from "../compaction/remembering_model.ts";

Deno.test("a foreign, a damaged and an unknown capsule are refused in the same words, and nothing of them is logged", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const { base, parts: { store } } = pair.gateway;
  const sealed = String((await capsuleFrom({ base })).encrypted_content);
  const sent = pair.first.seen.length;
  const [head, id, data] = sealed.split(".");
  const bad = (at: number): string => {
    const place = (at * 7919) % (data.length - 1); // the last character has bits that mean nothing
    const other = data[place] === "A" ? "B" : "A";
    switch (at % 5) {
      case 0:
        return `${head}.${id}.${data.slice(0, place)}${other}${data.slice(place + 1)}`;
      case 1:
        return `${head}.${at.toString(16).padStart(8, "0")}.${data}`;
      case 2:
        return `${head}.${id}.${data.slice(0, place)}`;
      case 3:
        return `${head}.${id}.!${"=".repeat(at % 40)}`;
      default:
        return `${head}.${"x".repeat(at)}`;
    }
  };
  const messages = new Set<string>();
  const attempts = 10_000;
  for (let from = 0; from < attempts; from += 50) {
    const group = Array.from(
      { length: 50 },
      (_, at) => post({ base }, next({ type: "compaction", encrypted_content: bad(from + at) })),
    );
    for (const { status, body } of await Promise.all(group)) {
      assertEquals([status, body.error.code], [400, "invalid_encrypted_content"]);
      messages.add(body.error.message);
    }
  }
  assertEquals(messages.size, 1);
  assertEquals(pair.first.seen.length, sent);
  const { rows } = await listRequestLogs(store, { limit: 100 });
  const logged = JSON.stringify(rows, (_, value) => typeof value === "bigint" ? `${value}` : value);
  assert(!logged.includes(data.slice(0, 20)) && !logged.includes("fact-"));
});
