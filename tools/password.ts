import { Passwords, resetSecondStep, setPassword } from "../lib/accounts/mod.ts";
import { loadConfig } from "../lib/config.ts";
import { openStore, type Store } from "../lib/store/mod.ts";
import { getUserByEmail } from "../lib/store/users/mod.ts";
import { readTaskArguments, stop, stopFor } from "./task.ts";

const withoutSecondStep = "--without-second-step";

/**
 * Sets an account's password and ends its sessions; returns a message and the success.
 * `isWithoutSecondStep` also removes its codes and passkeys, for an owner who has lost them.
 */
export async function resetPassword(
  store: Store,
  email: string,
  { password, isWithoutSecondStep = false }: {
    readonly password: string;
    readonly isWithoutSecondStep?: boolean;
  },
): Promise<{ readonly ok: boolean; readonly line: string }> {
  const user = await getUserByEmail(store, email.trim().toLowerCase());
  if (!user) return { ok: false, line: `No account with the e-mail address ${email}` };
  const passwords = new Passwords();
  try {
    const result = await setPassword({ store, passwords }, user.id, { password });
    if (result?.type === "saved" && isWithoutSecondStep) await resetSecondStep(store, user.id);
    if (result?.type === "saved") return { ok: true, line: `Password of ${user.email} changed` };
    return { ok: false, line: result?.message ?? `No account with the e-mail address ${email}` };
  } finally {
    passwords.close();
  }
}

/**
 * `deno task password EMAIL` asks for a new password, on the store of a stopped server or on one
 * that processes share.
 */
if (import.meta.main) {
  const { words: [email], given } = readTaskArguments({
    usage: `deno task password EMAIL [${withoutSecondStep}]`,
    flags: [withoutSecondStep],
    count: [1, 1],
  });
  const { store: location, secret, logRetentionMs } = loadConfig(Deno.env.toObject());
  const store = await openStore({ location, secret, logRetentionMs }).catch(stopFor);
  const { ok, line } = await resetPassword(store, email, {
    password: prompt("New password:") ?? "",
    isWithoutSecondStep: given.has(withoutSecondStep),
  });
  store.close();
  if (!ok) stop(line);
  console.log(line);
}
