import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { FormatName } from "../../lib/canonical/mod.ts";
import { candidatesFor, type Wanted } from "../../lib/routing/mod.ts";
import type { Upstream } from "../../lib/upstreams/upstream.ts";

function upstream(id: string, more: Partial<Upstream> = {}): Upstream {
  return {
    id,
    endpoints: { messages: "http://x" },
    credentials: ["k"],
    models: [{ id: "m" }],
    priority: 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    enabled: true,
    origin: "config",
    ...more,
  };
}

const wanted: Wanted = { model: "m", format: "messages", groupId: "default" };
const chat: Partial<Record<FormatName, string>> = { "chat-completions": "http://x" };
const half = () => 0.5;
const idsOf = (upstreams: Upstream[], more: Partial<Wanted> = {}) =>
  candidatesFor({ ...wanted, ...more }, upstreams, half).map((candidate) => candidate.upstream.id);

const cases: { name: string; upstreams: Upstream[]; more?: Partial<Wanted>; expected: string[] }[] =
  [
    {
      name: "the caller's own format before a higher priority",
      upstreams: [upstream("chat", { endpoints: chat, priority: 9 }), upstream("native")],
      expected: ["native", "chat"],
    },
    {
      name: "the higher priority first",
      upstreams: [upstream("low"), upstream("high", { priority: 1 })],
      expected: ["high", "low"],
    },
    {
      name: "no disabled one",
      upstreams: [upstream("off", { enabled: false }), upstream("on")],
      expected: ["on"],
    },
    {
      name: "none of another group",
      upstreams: [
        upstream("theirs", { groups: ["team"] }),
        upstream("ours", { groups: ["default"] }),
      ],
      expected: ["ours"],
    },
    {
      name: "none that lacks the model",
      upstreams: [upstream("other", { models: [{ id: "n" }] })],
      expected: [],
    },
    {
      name: "one that serves it by a pattern",
      upstreams: [upstream("any", { models: [{ id: "*" }] })],
      expected: ["any"],
    },
    {
      name: "one of weight 0 last",
      upstreams: [upstream("spare", { weight: 0 }), upstream("main")],
      expected: ["main", "spare"],
    },
  ];

for (const { name, upstreams, more, expected } of cases) {
  Deno.test(`candidatesFor takes ${name}`, () => assertEquals(idsOf(upstreams, more), expected));
}

Deno.test("candidatesFor names the upstream's own model by the closest pattern", () => {
  const models = [{ id: "*" }, { id: "gpt-*", upstreamModel: "by-pattern" }, {
    id: "gpt-5",
    upstreamModel: "by-name",
  }];
  const nameOf = (model: string) =>
    candidatesFor({ ...wanted, model }, [upstream("u", { models })], half)[0].upstreamModel;
  assertEquals([nameOf("gpt-5"), nameOf("gpt-4"), nameOf("other")], [
    "by-name",
    "by-pattern",
    "other",
  ]);
});

Deno.test("candidatesFor keeps a conversation on one upstream, whatever chance says", () => {
  const upstreams = ["a", "b", "c"].map((id) => upstream(id));
  for (const conversation of ["one", "two", "three"]) {
    const orders = [0.1, 0.5, 0.9].map((fixed) =>
      candidatesFor({ ...wanted, conversation }, upstreams, () => fixed).map((candidate) =>
        candidate.upstream.id
      )
    );
    assertEquals(orders[1], orders[0]);
    assertEquals(orders[2], orders[0]);
  }
});

Deno.test("candidatesFor moves only the conversations of an upstream that went away", () => {
  const upstreams = ["a", "b", "c"].map((id) => upstream(id));
  for (let n = 0; n < 200; n++) {
    const conversation = `conversation ${n}`;
    const [first] = idsOf(upstreams, { conversation });
    const [without] = idsOf(upstreams.filter(({ id }) => id !== "c"), { conversation });
    if (first !== "c") assertEquals(without, first);
  }
});

Deno.test("candidatesFor spreads conversations by weight", () => {
  const upstreams = [upstream("one"), upstream("three", { weight: 3 })];
  const firsts = Array.from(
    { length: 4000 },
    (_, n) => idsOf(upstreams, { conversation: `c${n}` })[0],
  );
  const share = firsts.filter((id) => id === "three").length / firsts.length;
  assertAlmostEquals(share, 0.75, 0.04);
  assert(share < 1);
});
