import { assertEquals, assertThrows } from "@std/assert";
import { shownTime, timeValue } from "../../cli/time.ts";
import { CommandError } from "../../cli/terminal.ts";

const nowMs = Date.parse("2026-11-30T20:51:09.500Z");

const past = {
  now: "2026-11-30T20:51:09.500Z",
  today: "2026-11-30T00:00:00.000Z",
  yesterday: "2026-11-29T00:00:00.000Z",
  tomorrow: "2026-12-01T00:00:00.000Z",
  "1h": "2026-11-30T19:51:09.500Z",
  "90m": "2026-11-30T19:21:09.500Z",
  "2w": "2026-11-16T20:51:09.500Z",
  "2026-11-28": "2026-11-28T00:00:00.000Z",
  "2026-11-28T09:30": "2026-11-28T09:30:00.000Z",
  "2026-11-28 09:30": "2026-11-28T09:30:00.000Z",
  "2026-11-28T09:30+02:00": "2026-11-28T07:30:00.000Z",
};

for (const [text, expected] of Object.entries(past)) {
  Deno.test(`cli: the time ${text} is ${expected}`, () => {
    assertEquals(timeValue(text, { option: "--from", nowMs }), expected);
  });
}

Deno.test("cli: a length is ahead for a time that is yet to come", () => {
  const options = { option: "--expires-at", nowMs, isFuture: true };
  assertEquals(timeValue("30d", options), "2026-12-30T20:51:09.500Z");
});

for (const text of ["", "soon", "h", "1y", "28.11.2026", "2026-13-01", "1", "2026"]) {
  Deno.test(`cli: "${text}" is no time`, () => {
    assertThrows(() => timeValue(text, { option: "--from", nowMs }), CommandError, "UTC");
  });
}

Deno.test("cli: tables show times without milliseconds, and days alone", () => {
  assertEquals(shownTime("2026-11-28T09:30:01.123Z"), "2026-11-28 09:30:01");
  assertEquals(shownTime("2026-11-28T00:00:00.000Z"), "2026-11-28");
  assertEquals(shownTime("2026-11-28"), undefined);
});
