import { assertEquals } from "@std/assert";
import { explainChain, explainRoute, type RouteVerdict } from "../../lib/routing/mod.ts";
import { attempted, failure, healthOf, query, TestClock, upstream, waysTo } from "./upstreams.ts";

Deno.test("explainRoute says of every upstream whether it serves a call, and why", () => {
  const clock = new TestClock();
  clock.nowMs = Date.UTC(2026, 0, 2);
  const health = healthOf(clock);
  const failing = upstream("failing", { credentials: ["k", "refused"] });
  const busy = upstream("busy");
  const dead = upstream("dead");
  const [usual, refused] = waysTo(failing);
  for (let n = 0; n < 3; n++) {
    attempted(health, usual, failure("upstream_timeout"));
    attempted(health, waysTo(dead)[0], failure("upstream_unreachable"));
  }
  attempted(health, refused, failure("upstream_unauthorized", { upstreamStatus: 401 }));
  attempted(health, waysTo(busy)[0], failure("rate_limit_exceeded", { retryAfterSeconds: 7 }));
  const upstreams = [
    failing,
    dead,
    busy,
    upstream("chat", { endpoints: { "chat-completions": "http://x" }, credentials: [], weight: 2 }),
    upstream("off", { enabled: false }),
    upstream("shut", { credentialsFault: "Cannot open a sealed text", enabled: false }),
    upstream("theirs", { groups: ["team"] }),
    upstream("other", { models: [{ id: "n" }] }),
    upstream("main", { priority: 5 }),
  ];
  const told = explainRoute(query, upstreams, { health, nowMs: clock.nowMs });
  const key = "8254c329";
  assertEquals(told.map(factsOf), [
    ["main", "candidate", 1, "messages", false, 5, 1, "closed"],
    ["chat", "candidate", 2, "chat-completions", true, 0, 2, "closed"],
    ["busy", "cooling", 3, "messages", false, 0, 1, "cooling"],
    ["failing", "open", 4, "messages", false, 0, 1, "open"],
    ["failing", "open", 5, "messages", false, 0, 1, "open"],
    ["dead", "open", 6, "messages", false, 0, 1, "open"],
    ["off", "disabled"],
    ["shut", "credentials", "Cannot open a sealed text"],
    ["theirs", "group", "default"],
    ["other", "model", "m"],
  ]);
  assertEquals(told.slice(2, 6).map(({ health }) => [health?.cause, health?.untilMs]), [
    ["rate_limit_exceeded", clock.nowMs + 7_000],
    ["upstream_timeout", clock.nowMs + 1_000],
    ["upstream_unauthorized", clock.nowMs + 60_000],
    ["upstream_unreachable", clock.nowMs + 1_000],
  ]);
  assertEquals(told[3].credentialId, key);
});

Deno.test("explainRoute says that the next call probes, and that a probe is out", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  const one = upstream("u");
  const [candidate] = waysTo(one);
  for (let n = 0; n < 3; n++) attempted(health, candidate, failure("upstream_error"));
  clock.nowMs += 1_000;
  const tell = () => explainRoute(query, [one], { health, nowMs: clock.nowMs })[0];
  assertEquals(tell().verdict, "candidate");
  assertEquals([tell().health?.state, tell().health?.isProbing], ["half-open", false]);
  health.begin(candidate);
  assertEquals(tell().verdict, "open");
  assertEquals(tell().health?.isProbing, true);
});

function factsOf(verdict: RouteVerdict): unknown[] {
  const { upstreamId, order, format, isConverted, priority, weight, lacks, health } = verdict;
  const facts = [upstreamId, verdict.verdict, order, format, isConverted, priority, weight, lacks];
  return [...facts, health?.state].filter((fact) => fact !== undefined);
}

Deno.test("explainChain lists the upstreams of each member in one order, and the hours of others", () => {
  const clock = new TestClock();
  clock.nowMs = Date.UTC(2026, 0, 2, 12);
  const upstreams = [
    upstream("one"),
    upstream("two", { models: [{ id: "n" }, { id: "m" }], priority: 1 }),
  ];
  const members = [
    { model: "n", hours: "22:00-06:00" },
    { model: "m", sharePercent: 5 },
    { model: "nobody" },
    { model: "n" },
  ];
  const asked = { ...query, model: "smart" };
  const told = explainChain(members, asked, upstreams, {
    health: healthOf(clock),
    nowMs: clock.nowMs,
  });
  const shown = told.map((
    { member, upstreamId, verdict, order, lacks },
  ) => [member?.model, upstreamId, verdict, order, lacks]);
  assertEquals(shown, [
    ["n", "two", "hours", undefined, "22:00-06:00"],
    ["m", "two", "candidate", 1, undefined],
    ["m", "one", "candidate", 2, undefined],
    ["nobody", "one", "model", undefined, "nobody"],
    ["nobody", "two", "model", undefined, "nobody"],
    ["n", "two", "candidate", 3, undefined],
  ]);
});
