import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { passwordFault, Passwords } from "../../lib/accounts/mod.ts";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { cpuTimeMs } from "../cpu_time.ts";

async function withPasswords(run: (passwords: Passwords) => Promise<void>) {
  const passwords = new Passwords();
  try {
    await run(passwords);
  } finally {
    passwords.close();
  }
}

Deno.test("Passwords hash with argon2id of the stated strength, salted, and verify", async () => {
  await withPasswords(async (passwords) => {
    const [first, second] = await Promise.all([
      passwords.hash("größere Katze"),
      passwords.hash("größere Katze"),
    ]);
    assert(first.startsWith("$argon2id$v=19$m=19456,t=2,p=1$"));
    assertNotEquals(first, second);
    assertEquals(await passwords.verify("größere Katze", first), true);
    assertEquals(await passwords.verify("grössere Katze", first), false);
    assertEquals(await passwords.verify("größere Katze".normalize("NFD"), first), true);
    assertEquals(await passwords.verify("", first), false);
    assertEquals(await passwords.verify("größere Katze", undefined), false);
    assertEquals(await passwords.verify("x".repeat(100_000), first), false);
  });
});

Deno.test("Passwords do their work beside the main thread", async () => {
  await withPasswords(async (passwords) => {
    await passwords.hash("warm up");
    let [longestGap, last] = [0, performance.now()];
    const beat = setInterval(() => {
      const now = performance.now();
      [longestGap, last] = [Math.max(longestGap, now - last), now];
    }, 1);
    const started = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => passwords.hash("password")));
    const took = performance.now() - started;
    clearInterval(beat);
    assert(longestGap < took / 4, `blocked for ${longestGap} ms of ${took} ms`);
  });
});

Deno.test("Passwords take as long where there is no user", async () => {
  await withPasswords(async (passwords) => {
    const hash = await passwords.hash("password");
    const timeOf = async (known: string | undefined) => {
      const started = cpuTimeMs();
      for (let call = 0; call < 5; call++) await passwords.verify("guess", known);
      return cpuTimeMs() - started;
    };
    const [wrong, nobody] = [await timeOf(hash), await timeOf(undefined)];
    assert(nobody > wrong / 2 && nobody < wrong * 2, `${nobody} ms against ${wrong} ms`);
  });
});

Deno.test("Passwords refuse more than may wait, and work again afterwards", async () => {
  await withPasswords(async (passwords) => {
    const asked = Array.from({ length: 80 }, () => passwords.verify("guess", "no hash"));
    const results = await Promise.allSettled(asked);
    const reasons = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason] : []
    );
    const refused = reasons.filter((reason) => reason instanceof GatewayError);
    assertEquals(refused.length, 16);
    assertEquals(refused[0]?.code, "rate_limit_exceeded");
    assertEquals(reasons.length, 80); // the others fail, because that is no hash
    assert(await passwords.hash("password"));
  });
});

Deno.test("Passwords keep places for who was here before", async () => {
  await withPasswords(async (passwords) => {
    const strangers = Array.from({ length: 64 }, () => passwords.verify("guess", undefined));
    const late = await passwords.verify("guess", undefined).catch((error) => error);
    assert(late instanceof GatewayError);
    const known = passwords.verify("guess", undefined, { isKnown: true });
    assertEquals(await known, false);
    await Promise.all(strangers);
  });
});

Deno.test("Passwords that wait fail when the server stops", async () => {
  const passwords = new Passwords();
  const waiting = passwords.hash("password");
  passwords.close();
  await assertRejects(() => waiting, Error, "the server is stopping");
});

Deno.test("passwordFault states the bounds", () => {
  assertEquals(passwordFault("elevenchars"), "The password must have at least 12 characters");
  assertEquals(passwordFault("twelve chars"), undefined);
  assertEquals(passwordFault("x".repeat(1_001)), "The password must have at most 1000 characters");
});

Deno.test("a password from before the minimum still signs in", async () => {
  const passwords = new Passwords();
  try {
    const hash = await passwords.hash("eightchr");
    assertEquals(await passwords.verify("eightchr", hash), true);
    assertEquals(await passwords.verify("", hash), false);
  } finally {
    passwords.close();
  }
});
