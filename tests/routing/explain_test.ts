import { assertEquals } from "@std/assert";
import { explainRoute } from "../../lib/routing/mod.ts";
import { attempted, failure, healthOf, TestClock, upstream, wanted, waysTo } from "./upstreams.ts";

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
  const told = explainRoute(wanted, upstreams, { health, nowMs: clock.nowMs });
  const key = "8254c329";
  assertEquals(
    told.map(({ upstreamId, verdict, reason, order }) => ({ upstreamId, verdict, reason, order })),
    [
      {
        upstreamId: "main",
        verdict: "candidate",
        reason: "Answers messages itself, priority 5, weight 1",
        order: 1,
      },
      {
        upstreamId: "chat",
        verdict: "candidate",
        reason: "Answers by conversion to chat-completions, priority 0, weight 2",
        order: 2,
      },
      {
        upstreamId: "busy",
        verdict: "cooling",
        reason:
          "Answers messages itself, priority 0, weight 1, cooling until 2026-01-02T00:00:07.000Z: it asked for fewer calls",
        order: 3,
      },
      {
        upstreamId: "failing",
        verdict: "open",
        reason:
          "Answers messages itself, priority 0, weight 1, open until 2026-01-02T00:00:01.000Z: it failed too often, last with upstream_timeout",
        order: 4,
      },
      {
        upstreamId: "failing",
        verdict: "open",
        reason:
          "Answers messages itself, priority 0, weight 1, open until 2026-01-02T00:01:00.000Z: its credential was refused",
        order: 5,
      },
      {
        upstreamId: "dead",
        verdict: "open",
        reason:
          "Answers messages itself, priority 0, weight 1, open until 2026-01-02T00:00:01.000Z: it could not be reached",
        order: 6,
      },
      { upstreamId: "off", verdict: "disabled", reason: "It is disabled", order: undefined },
      {
        upstreamId: "shut",
        verdict: "credentials",
        reason: "Its credentials cannot be opened: enter them again (Cannot open a sealed text)",
        order: undefined,
      },
      {
        upstreamId: "theirs",
        verdict: "group",
        reason: "It does not serve the group default",
        order: undefined,
      },
      {
        upstreamId: "other",
        verdict: "model",
        reason: "It does not serve the model m",
        order: undefined,
      },
    ],
  );
  assertEquals(told[3].credentialId, key);
  assertEquals([told[2].cause, told[2].untilMs], ["rate_limit_exceeded", clock.nowMs + 7_000]);
});

Deno.test("explainRoute says that the next call probes, and that a probe is out", () => {
  const clock = new TestClock();
  const health = healthOf(clock);
  const one = upstream("u");
  const [candidate] = waysTo(one);
  for (let n = 0; n < 3; n++) attempted(health, candidate, failure("upstream_error"));
  clock.nowMs += 1_000;
  const tell = () => explainRoute(wanted, [one], { health, nowMs: clock.nowMs })[0];
  assertEquals(tell().verdict, "candidate");
  assertEquals(tell().reason.split(", ").at(-1), "half-open: the next call probes it");
  health.begin(candidate);
  assertEquals(tell().verdict, "open");
  assertEquals(tell().reason.split(", ").at(-1), "a probe is out");
});
