import type { Session } from "../../store/users/mod.ts";

/** The name of a session in a form: enough of its digest to tell it from the account's others. */
export function sessionId({ digest }: Pick<Session, "digest">): string {
  return digest.slice(0, 16);
}
