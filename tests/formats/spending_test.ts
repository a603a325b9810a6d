import { assertEquals } from "@std/assert";
import { formatNames, GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";

/** How clients of each format learn that they must wait, or what to leave out. */

const waits: readonly (readonly [number | undefined, Record<string, string>])[] = [
  [undefined, {}],
  [0.2, { "retry-after": "1" }],
  [60, { "retry-after": "60" }],
  [61, { "x-should-retry": "false" }],
  [18_000, { "x-should-retry": "false" }],
];

for (const [seconds, headers] of waits) {
  for (const name of formatNames) {
    Deno.test(`${name}: a client waits for at most a minute, so not for ${seconds} s`, () => {
      for (const code of ["rate_limit_exceeded", "no_upstream"] as const) {
        const options = seconds === undefined ? {} : { retryAfterSeconds: seconds };
        const error = new GatewayError(code, "Slow down", options);
        assertEquals(codecs[name].encodeError(error, "req_1").headers, headers);
      }
    });
  }
}
