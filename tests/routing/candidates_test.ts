import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { FormatName } from "../../lib/canonical/mod.ts";
import {
  candidatesFor,
  type HealthStatus,
  type HealthView,
  type ObservedHealth,
  type RouteQuery,
  type State,
} from "../../lib/routing/mod.ts";
import type { UpstreamList } from "../../lib/store/catalog/mod.ts";
import type { Candidate, Upstream } from "../../lib/upstreams/upstream.ts";
import { query, unknown, upstream, waysTo } from "./upstreams.ts";

const chat: Partial<Record<FormatName, string>> = { "chat-completions": "http://x" };
const half = () => 0.5;

/** A health that says of each upstream what the test says. */
function healthWith(
  said: Readonly<Record<string, State | Partial<HealthStatus & ObservedHealth>>>,
): HealthView {
  const of = ({ upstream }: Candidate) => said[upstream.id];
  return {
    status: (candidate) => {
      const known = of(candidate);
      const status = typeof known === "string" ? { state: known } : known;
      return { state: "closed", isProbing: false, ...status };
    },
    observed: (candidate) => {
      const known = of(candidate);
      return { errorShare: 0, ...(typeof known === "object" && known) };
    },
  };
}

type Wanted = Omit<RouteQuery, "conversation"> & { readonly conversation?: string };

function ordered(
  upstreams: readonly Upstream[],
  { health = unknown, random = half, lists, conversation, ...more }: Partial<Wanted> & {
    readonly health?: HealthView;
    readonly lists?: ReadonlyMap<string, UpstreamList>;
    readonly random?: () => number;
  } = {},
): readonly Candidate[] {
  const circumstances = { health, nowMs: 0, random, ...(lists && { lists }) };
  const wanted = { ...query, ...more, ...(conversation && { conversation: () => conversation }) };
  return candidatesFor(wanted, upstreams, circumstances);
}

const idsOf = (...asked: Parameters<typeof ordered>) =>
  ordered(...asked).map((candidate) => candidate.upstream.id);

interface Case {
  readonly name: string;
  readonly upstreams: readonly Upstream[];
  readonly more?: Parameters<typeof ordered>[1];
  readonly expected: readonly string[];
}

const anything = [{ id: "*" }];

/** The upstreams' own model lists. */
function listing(names: Readonly<Record<string, readonly string[]>>) {
  return new Map(
    Object.entries(names).map(([upstreamId, ids]): [string, UpstreamList] => [
      upstreamId,
      { upstreamId, source: "", models: ids.map((id) => ({ id })), isComplete: true },
    ]),
  );
}

const cases: readonly Case[] = [
  {
    name: "an exact name before `*`, whatever the format and the priority",
    upstreams: [
      upstream("any", { models: anything, priority: 9 }),
      upstream("named", { endpoints: chat, models: [{ id: query.model }] }),
    ],
    expected: ["named", "any"],
  },
  {
    name: "an upstream that lists the model before one that does not; both are candidates",
    upstreams: [upstream("other", { models: anything }), upstream("lists", { models: anything })],
    more: { lists: listing({ other: ["x"], lists: [query.model] }) },
    expected: ["lists", "other"],
  },
  {
    name: "listing a model counts as much as naming it: the priority decides",
    upstreams: [
      upstream("named", { models: [{ id: query.model }] }),
      upstream("lists", { models: anything, priority: 1 }),
    ],
    more: { lists: listing({ lists: [query.model] }) },
    expected: ["lists", "named"],
  },
  {
    name: "a specific pattern counts like a name, whether the model is listed or not",
    upstreams: [
      upstream("named", { models: [{ id: query.model }] }),
      upstream("pattern", { models: [{ id: `${query.model.slice(0, 2)}*` }], priority: 1 }),
    ],
    more: { lists: listing({ pattern: ["x"] }) },
    expected: ["pattern", "named"],
  },
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
    name: "no disabled upstream",
    upstreams: [upstream("off", { enabled: false }), upstream("on")],
    expected: ["on"],
  },
  {
    name: "none whose credentials cannot be opened",
    upstreams: [upstream("shut", { credentialsFault: "another secret" }), upstream("on")],
    expected: ["on"],
  },
  {
    name: "no upstream of another group",
    upstreams: [
      upstream("theirs", { groups: ["team"] }),
      upstream("ours", { groups: ["default"] }),
    ],
    expected: ["ours"],
  },
  {
    name: "no upstream that lacks the model",
    upstreams: [upstream("other", { models: [{ id: "n" }] })],
    expected: [],
  },
  {
    name: "an upstream that serves the model by a pattern",
    upstreams: [upstream("any", { models: [{ id: "*" }] })],
    expected: ["any"],
  },
  {
    name: "an upstream of weight 0 last",
    upstreams: [upstream("spare", { weight: 0 }), upstream("main")],
    expected: ["main", "spare"],
  },
  {
    name: "healthy, then paused, then open",
    upstreams: [upstream("open"), upstream("cooling"), upstream("healthy")],
    more: { health: healthWith({ open: "open", cooling: "cooling" }) },
    expected: ["healthy", "cooling", "open"],
  },
  {
    name: "a healthy upstream before an open one with the caller's format and a higher priority",
    upstreams: [upstream("open", { priority: 9 }), upstream("healthy", { endpoints: chat })],
    more: { health: healthWith({ open: "open" }) },
    expected: ["healthy", "open"],
  },
  {
    name: "a half-open upstream keeps its place, so that a call probes it",
    upstreams: [upstream("healthy"), upstream("half", { priority: 1 })],
    more: { health: healthWith({ half: "half-open" }) },
    expected: ["half", "healthy"],
  },
  {
    name: "an upstream that a call is probing comes last",
    upstreams: [upstream("half", { priority: 1 }), upstream("healthy")],
    more: { health: healthWith({ half: { state: "half-open", isProbing: true } }) },
    expected: ["healthy", "half"],
  },
  {
    name: "among open upstreams, the caller's own format first",
    upstreams: [upstream("chat", { endpoints: chat }), upstream("native")],
    more: { health: healthWith({ chat: "open", native: "open" }) },
    expected: ["native", "chat"],
  },
  {
    name: "a conversation's upstream comes last once its breaker is open",
    upstreams: [upstream("a"), upstream("b"), upstream("c")],
    more: { conversation: "one", health: healthWith({ a: "open", b: "open" }) },
    expected: ["c", "a", "b"],
  },
];

for (const { name, upstreams, more, expected } of cases) {
  Deno.test(`candidatesFor: ${name}`, () => {
    assertEquals(idsOf(upstreams, more), [...expected]);
  });
}

Deno.test("candidatesFor names the upstream's own model by the closest pattern", () => {
  const models = [{ id: "*" }, { id: "gpt-*", upstreamModel: "by-pattern" }, {
    id: "gpt-5",
    upstreamModel: "by-name",
  }];
  const nameOf = (model: string) =>
    ordered([upstream("u", { models })], { model })[0].upstreamModel;
  assertEquals([nameOf("gpt-5"), nameOf("gpt-4"), nameOf("other")], [
    "by-name",
    "by-pattern",
    "other",
  ]);
});

Deno.test("candidatesFor puts what a pattern matched into the upstream's own name", () => {
  const models = [
    { id: "groq/*", upstreamModel: "*" },
    { id: "*-eu", upstreamModel: "models/*" },
    { id: "a*b*", upstreamModel: "two" },
    { id: "$*", upstreamModel: "v-*" },
  ];
  const nameOf = (model: string) =>
    ordered([upstream("u", { models })], { model })[0].upstreamModel;
  assertEquals(["groq/llama/3", "gpt-eu", "axby", "$$&"].map(nameOf), [
    "llama/3",
    "models/gpt",
    "two",
    "v-$&",
  ]);
});

Deno.test("candidatesFor names each credential by its digest, and none where there is none", () => {
  const named = waysTo(
    upstream("u", { credentials: ["one", "two"] }),
    upstream("v", { credentials: [] }),
  );
  assertEquals(named.map(({ credential }) => credential), [
    { id: "7692c3ad", secret: "one" },
    { id: "3fc4ccfe", secret: "two" },
    undefined,
  ]);
});

/** A sequence of numbers that looks like chance, the same in every run. */
function chance(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** The share of draws in which each name comes first. */
function shares(draw: (n: number) => string, draws = 4_000): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let n = 0; n < draws; n++) {
    const name = draw(n);
    counts[name] = (counts[name] ?? 0) + 1 / draws;
  }
  return counts;
}

interface WeightCase {
  readonly name: string;
  readonly slow?: Partial<ObservedHealth>;
  readonly fast?: Partial<ObservedHealth>;
  readonly weights?: readonly [number, number];
  /** Of the calls, how many `slow` gets. */
  readonly share: number;
}

const weightCases: readonly WeightCase[] = [
  { name: "by weight", weights: [1, 3], share: 0.25 },
  {
    name: "evenly if both are equally fast",
    slow: { firstByteMs: 900 },
    fast: { firstByteMs: 900 },
    share: 0.5,
  },
  {
    name: "half as often to an upstream that takes four times as long",
    slow: { firstByteMs: 3_900 },
    fast: { firstByteMs: 900 },
    share: 1 / 3,
  },
  {
    name: "nearly evenly if callers do not notice the difference",
    slow: { firstByteMs: 12 },
    fast: { firstByteMs: 2 },
    share: 0.49,
  },
  {
    name: "less to an upstream that sometimes fails",
    slow: { errorShare: 0.3 },
    share: 0.49 / 1.49,
  },
  {
    name: "still sometimes to an upstream that always fails",
    slow: { errorShare: 1 },
    share: 0.1 / 1.1,
  },
  { name: "evenly to an upstream without observations", fast: { firstByteMs: 10 }, share: 0.5 },
];

for (const { name, slow = {}, fast = {}, weights: [a, b] = [1, 1], share } of weightCases) {
  Deno.test(`candidatesFor spreads calls ${name}`, () => {
    const upstreams = [upstream("slow", { weight: a }), upstream("fast", { weight: b })];
    const random = chance();
    const health = healthWith({ slow, fast });
    const seen = shares(() => idsOf(upstreams, { health, random })[0]);
    assertAlmostEquals(seen.slow, share, 0.025);
  });
}

Deno.test("candidatesFor compares latency among peers only", () => {
  const upstreams = [
    upstream("spare", { priority: -1 }),
    upstream("a"),
    upstream("b"),
  ];
  const random = chance();
  const health = healthWith({ spare: { firstByteMs: 1 }, a: { firstByteMs: 900 } });
  assertAlmostEquals(shares(() => idsOf(upstreams, { health, random })[0]).a, 0.5, 0.025);
});

Deno.test("candidatesFor rotates an upstream's credentials, which give it no more weight", () => {
  const upstreams = [upstream("three", { credentials: ["x", "y", "z"] }), upstream("one")];
  const random = chance();
  const firsts = shares(() => {
    const [{ upstream, credential }] = ordered(upstreams, { random });
    return upstream.id === "one" ? "one" : credential?.secret ?? "";
  });
  assertAlmostEquals(firsts.one, 0.5, 0.03);
  for (const secret of ["x", "y", "z"]) assertAlmostEquals(firsts[secret], 1 / 6, 0.03);
});

Deno.test("candidatesFor takes an upstream's healthy credentials and leaves the others", () => {
  const upstreams = [upstream("u", { credentials: ["x", "y", "z"], priority: 1 }), upstream("v")];
  const health: HealthView = {
    ...unknown,
    status: ({ credential }) => ({
      state: credential?.secret === "y" ? "open" : "closed",
      isProbing: false,
    }),
  };
  const secrets = ordered(upstreams, { health }).map(({ upstream, credential }) =>
    `${upstream.id} ${credential?.secret}`
  );
  assertEquals([secrets.slice(0, 2).sort(), secrets.slice(2)], [["u x", "u z"], ["v k", "u y"]]);
});

Deno.test("candidatesFor keeps a conversation on one upstream and credential, whatever chance says", () => {
  const upstreams = ["a", "b", "c"].map((id) => upstream(id, { credentials: ["x", "y", "z"] }));
  for (const conversation of ["one", "two", "three"]) {
    const orders = [0.1, 0.5, 0.9].map((fixed) =>
      ordered(upstreams, { conversation, random: () => fixed }).map(({ upstream, credential }) =>
        `${upstream.id} ${credential?.secret}`
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

Deno.test("candidatesFor moves only the conversations of a credential that is out, and back", () => {
  const one = upstream("u", { credentials: ["x", "y", "z"] });
  const secretOf = (conversation: string, health = unknown) =>
    ordered([one], { conversation, health })[0].credential?.secret;
  const out: HealthView = {
    ...unknown,
    status: ({ credential }) => ({
      state: credential?.secret === "y" ? "open" : "closed",
      isProbing: false,
    }),
  };
  for (let n = 0; n < 200; n++) {
    const conversation = `conversation ${n}`;
    const usual = secretOf(conversation);
    if (usual === "y") assert(secretOf(conversation, out) !== "y");
    else assertEquals(secretOf(conversation, out), usual);
  }
});

Deno.test("candidatesFor keeps a conversation where it is while that does not much worse than its peers", () => {
  const upstreams = ["a", "b"].map((id) => upstream(id));
  const middling = healthWith({
    a: { firstByteMs: 2_500, errorShare: 0.1 },
    b: { firstByteMs: 900 },
  });
  const bad = healthWith({ a: { firstByteMs: 2_500, errorShare: 0.6 }, b: { firstByteMs: 900 } });
  const seen = shares((n) => {
    const conversation = `conversation ${n}`;
    const [usual] = idsOf(upstreams, { conversation });
    assertEquals(idsOf(upstreams, { conversation, health: middling })[0], usual);
    return idsOf(upstreams, { conversation, health: bad })[0];
  });
  assertAlmostEquals(seen.a, 0.1 / 1.1, 0.03);
});

Deno.test("candidatesFor spreads conversations by weight", () => {
  const upstreams = [upstream("one"), upstream("three", { weight: 3 })];
  const seen = shares((n) => idsOf(upstreams, { conversation: `c${n}` })[0]);
  assertAlmostEquals(seen.three, 0.75, 0.04);
});
