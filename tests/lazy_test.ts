import { assertEquals, assertRejects } from "@std/assert";
import { lazy } from "../lib/lazy.ts";

Deno.test("lazy: the value is made at the first call and kept", async () => {
  let made = 0;
  const value = lazy(() => Promise.resolve(++made));
  assertEquals(made, 0);
  assertEquals(await Promise.all([value(), value()]), [1, 1]);
  assertEquals(await value(), 1);
});

Deno.test("lazy: the call after a failure tries again", async () => {
  let tries = 0;
  const value = lazy(async () => {
    await Promise.resolve();
    if (++tries === 1) throw new Error("not yet");
    return tries;
  });
  await assertRejects(value, Error, "not yet");
  assertEquals(await value(), 2);
});
