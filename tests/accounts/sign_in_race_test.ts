import { assertEquals } from "@std/assert";
import { addAccount, Passwords, setPassword, signIn } from "../../lib/accounts/mod.ts";
import { listSessions } from "../../lib/store/users/mod.ts";
import { testOnStores } from "../store/temp_store.ts";

const [email, password, nowMs] = ["ada@example.com", "correct horse battery", Date.now()];

testOnStores("a sign-in with a password that is changed meanwhile opens nothing", async (store) => {
  const passwords = new Passwords();
  const services = { store, passwords };
  const added = await addAccount(services, { email, password, role: "member" }, nowMs);
  const userId = added.type === "saved" ? added.user.id : "";
  const verify: Passwords["verify"] = async (...asked) => {
    const right = await passwords.verify(...asked);
    await setPassword(services, userId, { password: "another horse battery" });
    return right;
  };
  const from = { email, password, ip: "203.0.113.7" };
  const result = await signIn({ store, passwords: { verify }, nowMs }, from);
  assertEquals(result.type, "refused");
  assertEquals(await listSessions(store, userId), []);
  passwords.close();
});
