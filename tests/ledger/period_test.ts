import { assert, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { minuteOf, periodOf } from "../../lib/ledger/period.ts";
import type { BudgetPeriod } from "../../lib/store/money/mod.ts";

interface Case {
  readonly name: string;
  readonly period: BudgetPeriod;
  readonly timeZone: string;
  readonly at: string;
  readonly id: string;
  readonly starts: string;
  readonly ends: string;
}

const cases: readonly Case[] = [
  {
    name: "a day in UTC",
    period: "day",
    timeZone: "UTC",
    at: "2026-11-21T12:34:56.789Z",
    id: "2026-11-21",
    starts: "2026-11-21T00:00:00Z",
    ends: "2026-11-22T00:00:00Z",
  },
  {
    name: "the first millisecond belongs to the day",
    period: "day",
    timeZone: "UTC",
    at: "2026-11-21T00:00:00.000Z",
    id: "2026-11-21",
    starts: "2026-11-21T00:00:00Z",
    ends: "2026-11-22T00:00:00Z",
  },
  {
    name: "the last millisecond belongs to it too",
    period: "day",
    timeZone: "Europe/Berlin",
    at: "2026-11-21T22:59:59.999Z",
    id: "2026-11-21",
    starts: "2026-11-20T23:00:00Z",
    ends: "2026-11-21T23:00:00Z",
  },
  {
    name: "a day of 23 hours, when clocks go forward",
    period: "day",
    timeZone: "Europe/Berlin",
    at: "2026-03-29T12:00:00Z",
    id: "2026-03-29",
    starts: "2026-03-28T23:00:00Z",
    ends: "2026-03-29T22:00:00Z",
  },
  {
    name: "a day of 25 hours, when clocks go back",
    period: "day",
    timeZone: "America/New_York",
    at: "2026-11-02T04:30:00Z",
    id: "2026-11-01",
    starts: "2026-11-01T04:00:00Z",
    ends: "2026-11-02T05:00:00Z",
  },
  {
    name: "a day that begins at one o'clock, as clocks go forward at midnight",
    period: "day",
    timeZone: "America/Santiago",
    at: "2026-09-06T12:00:00Z",
    id: "2026-09-06",
    starts: "2026-09-06T04:00:00Z",
    ends: "2026-09-07T03:00:00Z",
  },
  {
    name: "an offset of half an hour",
    period: "day",
    timeZone: "Asia/Kolkata",
    at: "2026-11-21T18:30:00Z",
    id: "2026-11-22",
    starts: "2026-11-21T18:30:00Z",
    ends: "2026-11-22T18:30:00Z",
  },
  {
    name: "an offset of three quarters of an hour",
    period: "day",
    timeZone: "Asia/Kathmandu",
    at: "2026-11-21T18:14:59Z",
    id: "2026-11-21",
    starts: "2026-11-20T18:15:00Z",
    ends: "2026-11-21T18:15:00Z",
  },
  {
    name: "clocks that move by half an hour",
    period: "day",
    timeZone: "Australia/Lord_Howe",
    at: "2026-10-04T02:00:00Z",
    id: "2026-10-04",
    starts: "2026-10-03T13:30:00Z",
    ends: "2026-10-04T13:00:00Z",
  },
  {
    name: "the day after one that a zone left out",
    period: "day",
    timeZone: "Pacific/Apia",
    at: "2011-12-30T10:00:00Z",
    id: "2011-12-31",
    starts: "2011-12-30T10:00:00Z",
    ends: "2011-12-31T10:00:00Z",
  },
  {
    name: "a week from Monday",
    period: "week",
    timeZone: "Europe/Berlin",
    at: "2026-11-22T22:59:59Z",
    id: "2026-W47",
    starts: "2026-11-15T23:00:00Z",
    ends: "2026-11-22T23:00:00Z",
  },
  {
    name: "a week with 167 hours",
    period: "week",
    timeZone: "Europe/Berlin",
    at: "2026-03-29T12:00:00Z",
    id: "2026-W13",
    starts: "2026-03-22T23:00:00Z",
    ends: "2026-03-29T22:00:00Z",
  },
  {
    name: "a week of the year before",
    period: "week",
    timeZone: "UTC",
    at: "2027-01-03T23:00:00Z",
    id: "2026-W53",
    starts: "2026-12-28T00:00:00Z",
    ends: "2027-01-04T00:00:00Z",
  },
  {
    name: "a week of the year after",
    period: "week",
    timeZone: "UTC",
    at: "2024-12-30T00:00:00Z",
    id: "2025-W01",
    starts: "2024-12-30T00:00:00Z",
    ends: "2025-01-06T00:00:00Z",
  },
  {
    name: "a month over a change of clocks",
    period: "month",
    timeZone: "America/New_York",
    at: "2026-11-30T23:00:00Z",
    id: "2026-11",
    starts: "2026-11-01T04:00:00Z",
    ends: "2026-12-01T05:00:00Z",
  },
  {
    name: "February of a leap year",
    period: "month",
    timeZone: "UTC",
    at: "2028-02-29T23:59:59Z",
    id: "2028-02",
    starts: "2028-02-01T00:00:00Z",
    ends: "2028-03-01T00:00:00Z",
  },
];

for (const { name, period, timeZone, at, id, starts, ends } of cases) {
  Deno.test(`periodOf: ${name} (${timeZone})`, () => {
    assertEquals(periodOf(period, timeZone, Date.parse(at)), {
      id,
      startsAtMs: Date.parse(starts),
      endsAtMs: Date.parse(ends),
    });
  });
}

Deno.test("periodOf: total neither begins nor ends", () => {
  assertEquals(periodOf("total", "Europe/Berlin", 1), { id: "total" });
});

Deno.test("periodOf: an unknown zone throws", () => {
  assertThrows(() => periodOf("day", "Mars/Olympus", 1), RangeError);
});

const zones = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
const moments = fc.integer({ min: Date.UTC(2015), max: Date.UTC(2060) });
const periods = fc.constantFrom("day", "week", "month" as const);

Deno.test("periodOf: periods are adjacent, contain their moments, and their ids sort", () => {
  fc.assert(
    fc.property(periods, zones, moments, (period, zone, atMs) => {
      const { id, startsAtMs = NaN, endsAtMs = NaN } = periodOf(period, zone, atMs);
      assert(startsAtMs <= atMs && atMs < endsAtMs, "holds its moment");
      assertEquals(periodOf(period, zone, startsAtMs).id, id);
      assertEquals(periodOf(period, zone, endsAtMs - 1).id, id);
      const next = periodOf(period, zone, endsAtMs);
      assertEquals(next.startsAtMs, endsAtMs, "the next begins where it ends");
      assert(id < next.id, `${id} sorts before ${next.id}`);
      assert(periodOf(period, zone, startsAtMs - 1).id < id, "the one before sorts before it");
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("periodOf: a moment earlier than the last one requested has its own period", () => {
  const [before, after] = [Date.parse("2031-05-04T10:00:00Z"), Date.parse("2031-05-05T10:00:00Z")];
  const ids = [after, before, after].map((atMs) => periodOf("day", "Asia/Tokyo", atMs).id);
  assertEquals(ids, ["2031-05-05", "2031-05-04", "2031-05-05"]);
});

Deno.test("minuteOf: whole minutes, whose ids sort", () => {
  const atMs = Date.parse("2026-11-21T10:31:59.999Z");
  const minute = minuteOf(atMs);
  assertEquals(minute.startsAtMs, Date.parse("2026-11-21T10:31:00Z"));
  assertEquals(minute.endsAtMs, Date.parse("2026-11-21T10:32:00Z"));
  assertEquals(minuteOf(minute.startsAtMs), minute);
  assert(minute.id < minuteOf(minute.endsAtMs).id);
  assert(minuteOf(0).id < minute.id);
});
