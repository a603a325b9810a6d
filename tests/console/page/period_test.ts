import { assertEquals } from "@std/assert";
import {
  type PeriodName,
  periodNames,
  readPeriod,
  readStep,
  spanOf,
} from "../../../lib/console/page/period.ts";

const hourMs = 3_600_000;
const at = (text: string) => Date.parse(text);
const isoOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 16);

const cases: readonly (readonly [
  name: PeriodName,
  timeZone: string,
  now: string,
  from: string,
  to: string,
  steps: number,
  before: string,
])[] = [
  [
    "24h",
    "UTC",
    "2026-11-21T08:40Z",
    "2026-11-20T09:00",
    "2026-11-21T09:00",
    24,
    "2026-11-19T09:00",
  ],
  [
    "today",
    "UTC",
    "2026-11-21T08:40Z",
    "2026-11-21T00:00",
    "2026-11-21T09:00",
    9,
    "2026-11-20T00:00",
  ],
  [
    "yesterday",
    "UTC",
    "2026-11-21T08:40Z",
    "2026-11-20T00:00",
    "2026-11-21T00:00",
    24,
    "2026-11-19T00:00",
  ],
  [
    "yesterday",
    "Europe/Berlin",
    "2026-03-30T12:00Z",
    "2026-03-28T23:00",
    "2026-03-29T22:00",
    23,
    "2026-03-27T23:00",
  ],
  [
    "yesterday",
    "America/New_York",
    "2026-11-02T12:00Z",
    "2026-11-01T04:00",
    "2026-11-02T05:00",
    25,
    "2026-10-31T04:00",
  ],
  [
    "yesterday",
    "Asia/Kolkata",
    "2026-11-21T08:40Z",
    "2026-11-19T19:00",
    "2026-11-20T19:00",
    24,
    "2026-11-18T19:00",
  ],
  [
    "today",
    "Asia/Kolkata",
    "2026-11-20T18:40Z",
    "2026-11-19T19:00",
    "2026-11-20T19:00",
    24,
    "2026-11-18T19:00",
  ],
  [
    "today",
    "Asia/Kathmandu",
    "2026-11-20T18:05Z",
    "2026-11-20T18:00",
    "2026-11-20T19:00",
    1,
    "2026-11-19T18:00",
  ],
  [
    "week",
    "Europe/Berlin",
    "2026-11-18T10:00Z",
    "2026-11-15T23:00",
    "2026-11-18T23:00",
    3,
    "2026-11-08T23:00",
  ],
  [
    "month",
    "Asia/Shanghai",
    "2026-10-31T17:00Z",
    "2026-10-31T16:00",
    "2026-11-01T16:00",
    1,
    "2026-09-30T16:00",
  ],
  [
    "last-month",
    "Europe/Berlin",
    "2026-04-10T10:00Z",
    "2026-02-28T23:00",
    "2026-03-31T22:00",
    31,
    "2026-01-31T23:00",
  ],
  ["7d", "UTC", "2026-11-21T08:40Z", "2026-11-15T00:00", "2026-11-22T00:00", 7, "2026-11-08T00:00"],
];

for (const [name, timeZone, now, from, to, steps, before] of cases) {
  Deno.test(`period: ${name} in ${timeZone} at ${now}`, () => {
    const span = spanOf(name, { nowMs: at(now), timeZone });
    const found = [isoOf(span.fromMs), isoOf(span.toMs), span.starts.length, isoOf(span.beforeMs)];
    assertEquals(found, [from, to, steps, before]);
  });
}

Deno.test("period: steps follow each other without a gap, around both changes of the clock", () => {
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"];
  for (const timeZone of zones) {
    for (
      const now of [
        "2026-03-31T10:00Z",
        "2026-04-06T15:00Z",
        "2026-10-26T01:00Z",
        "2026-11-03T00:00Z",
      ]
    ) {
      for (const name of periodNames) {
        const { starts, fromMs, toMs, beforeMs, beforeEndMs } = spanOf(name, {
          nowMs: at(now),
          timeZone,
        });
        const lengths = [...starts.slice(1), toMs].map((end, n) => (end - starts[n]) / hourMs);
        assertEquals(lengths.every((hours) => [1, 23, 24, 25].includes(hours)), true, `${lengths}`);
        assertEquals([starts[0], beforeMs < beforeEndMs, beforeEndMs <= fromMs], [
          fromMs,
          true,
          true,
        ]);
      }
    }
  }
});

Deno.test("period: a running month is compared with as many days of the last one", () => {
  const span = spanOf("month", { nowMs: at("2026-11-10T08:00Z"), timeZone: "UTC" });
  assertEquals([isoOf(span.beforeMs), isoOf(span.beforeEndMs)], [
    "2026-10-01T00:00",
    "2026-10-11T00:00",
  ]);
});

const reader = { nowMs: at("2026-11-21T08:40Z"), timeZone: "Europe/Berlin" };
const read = (query: string) => readPeriod(new URLSearchParams(query), "14d", reader);

Deno.test("period: a range of days, by the hour, the day or the month", () => {
  const cases = [
    ["since=2026-11-03&until=2026-11-09", "day", 7, "2026-11-02T23:00", "2026-11-09T23:00"],
    ["since=2026-11-09&until=2026-11-03", "day", 7, "2026-11-02T23:00", "2026-11-09T23:00"],
    ["since=2026-11-03", "hour", 24, "2026-11-02T23:00", "2026-11-03T23:00"],
    ["since=2026-01-01&until=2026-06-30", "month", 6, "2025-12-31T23:00", "2026-06-30T22:00"],
    ["since=2020-01-01&until=2029-01-01", "month", 12, "2020-01-01T00:00", "2021-01-01T00:00"],
  ] as const;
  for (const [query, step, count, from, to] of cases) {
    const { starts, fromMs, toMs, ...span } = read(query);
    assertEquals([span.name, span.step, starts.length], ["range", step, count], query);
    assertEquals([isoOf(fromMs), isoOf(toMs)], [from, to], query);
  }
  assertEquals(read("since=2020-01-01").timeZone, "UTC", "its hours are no longer kept");
  assertEquals(read("since=2026-02-31&until=x&period=7d").name, "7d");
});

Deno.test("period: only the start of a step chooses it", () => {
  const span = read("period=7d");
  const chosen = (text: string) => readStep(new URLSearchParams(text), span);
  assertEquals(chosen(`at=${span.starts[3] / 1_000}`), 3);
  for (const text of ["", "at=", "at=0", "at=x", `at=${span.starts[3] / 1_000 + 1}`]) {
    assertEquals(chosen(text), undefined, text);
  }
});
