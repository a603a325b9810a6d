import { assertEquals } from "@std/assert";
import { Passwords, setPassword, signIn } from "../../lib/accounts/mod.ts";
import { listSessions, updateUser } from "../../lib/store/users/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addAccount } from "./add_account.ts";

const [email, password, nowMs] = ["ada@example.com", "correct horse battery", Date.now()];

/** `correct horse battery`, hashed with bcrypt by libxcrypt. */
const bcryptHash = "$2b$04$c8vxUQeJzL7cIyZAI4WQgOcoex6aninELWwSXLP22yQMVpFl4M7xC";

for (const imported of [undefined, bcryptHash]) {
  const kind = imported ? "an imported password" : "a password";
  testOnStores(`a sign-in with ${kind} that is changed meanwhile opens nothing`, async (store) => {
    const passwords = new Passwords();
    const services = { store, passwords };
    const entered = { email, password, role: "member" } as const;
    const { id: userId } = await addAccount(services, entered, nowMs);
    if (imported) await updateUser(store, userId, (one) => ({ ...one, passwordHash: imported }));
    const verify: Passwords["verify"] = async (...asked) => {
      const right = await passwords.verify(...asked);
      await setPassword(services, userId, { password: "another horse battery" });
      return right;
    };
    const hash: Passwords["hash"] = (entered) => passwords.hash(entered);
    const from = { email, password, ip: "203.0.113.7" };
    const result = await signIn({ store, passwords: { hash, verify }, nowMs }, from);
    assertEquals(result.type, "refused");
    assertEquals(await listSessions(store, userId), []);
    passwords.close();
  });
}
