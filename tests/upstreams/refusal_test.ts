import { assertEquals } from "@std/assert";
import { refusalHeaders } from "../../lib/upstreams/refusal.ts";

const nowMs = Date.UTC(2026, 10, 21, 8, 0, 0);

const cases: readonly {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly expected: string | undefined;
}[] = [
  { name: "seconds", headers: { "retry-after": "7" }, expected: "7" },
  { name: "nothing", headers: {}, expected: undefined },
  {
    name: "a date",
    headers: { "retry-after": "Sat, 21 Nov 2026 08:00:30 GMT" },
    expected: "30",
  },
  {
    name: "a date by the upstream's own clock",
    headers: {
      "date": "Sat, 21 Nov 2026 09:00:00 GMT",
      "retry-after": "Sat, 21 Nov 2026 09:00:20 GMT",
    },
    expected: "20",
  },
  {
    name: "a date that is over",
    headers: { "retry-after": "Sat, 21 Nov 2026 07:00:00 GMT" },
    expected: "0",
  },
  { name: "words", headers: { "retry-after": "Soon" }, expected: "Soon" },
];

for (const { name, headers, expected } of cases) {
  Deno.test(`refusalHeaders reads ${name} in retry-after`, () => {
    assertEquals(refusalHeaders(new Headers(headers), nowMs)["retry-after"], expected);
  });
}
