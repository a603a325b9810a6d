import { assertThrows } from "@std/assert";
import { findChromium } from "./chromium.ts";

Deno.test("findChromium: a path that is set but missing is refused", () => {
  const missing = "/nowhere/chromium";
  assertThrows(() => findChromium(missing), Error, `TESSERA_CHROMIUM is ${missing}`);
});
