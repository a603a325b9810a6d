import { assert, assertEquals } from "@std/assert";
import { Passwords, signIn } from "../../lib/accounts/mod.ts";
import { createUser } from "../../lib/store/mod.ts";
import { resetPassword } from "../../tools/password.ts";
import { sampleUser } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

Deno.test("deno task password gives an account a new password, and says what is wrong", async () => {
  await withMemoryStore(async (store) => {
    await createUser(store, sampleUser());
    assertEquals(await resetPassword(store, "nobody@example.com", "long enough"), {
      ok: false,
      line: "No account has the address nobody@example.com",
    });
    assert(!(await resetPassword(store, "ada@example.com", "short")).ok);
    assert((await resetPassword(store, " Ada@example.com", "a new long one")).ok);
    const passwords = new Passwords();
    const entered = { email: "ada@example.com", password: "a new long one" };
    const { type } = await signIn({ store, passwords, nowMs: Date.now() }, entered);
    passwords.close();
    assertEquals(type, "signed-in");
  });
});
