import { assert, assertEquals } from "@std/assert";
import { Passwords, signIn } from "../../lib/accounts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { createTotp, createUser } from "../../lib/store/users/mod.ts";
import { resetPassword } from "../../tools/password.ts";
import { sampleUser } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

Deno.test("deno task password gives an account a new password, and says what is wrong", async () => {
  await withMemoryStore(async (store) => {
    await createUser(store, sampleUser());
    assertEquals(await resetPassword(store, "nobody@example.com", { password: "long enough" }), {
      ok: false,
      line: "No account with the e-mail address nobody@example.com",
    });
    assert(!(await resetPassword(store, "ada@example.com", { password: "short" })).ok);
    assert((await resetPassword(store, " Ada@example.com", { password: "a new long one" })).ok);
    assertEquals(await signInAs(store, "a new long one"), "signed-in");
  });
});

Deno.test("deno task password helps who has lost the second step too", async () => {
  await withMemoryStore(async (store) => {
    await createUser(store, sampleUser());
    const totp = { userId: "usr_1", lastStep: 0, recoveryDigests: [], createdAtMs: 1 };
    await createTotp(store, { ...totp, sealedSecret: "v1.a.b" });
    const password = "a new long one";
    await resetPassword(store, "ada@example.com", { password });
    assertEquals(await signInAs(store, password), "second-step");
    const lost = { password, isWithoutSecondStep: true };
    assert((await resetPassword(store, "ada@example.com", lost)).ok);
    assertEquals(await signInAs(store, password), "signed-in");
  });
});

async function signInAs(store: Store, password: string): Promise<string> {
  const passwords = new Passwords();
  const entered = { email: "ada@example.com", password };
  const { type } = await signIn({ store, passwords, nowMs: Date.now() }, entered);
  passwords.close();
  return type;
}
