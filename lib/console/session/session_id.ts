import type { Session } from "../../store/users/mod.ts";

/**
 * The name of a session in a form: a prefix of its digest that identifies it within the account.
 */
export function sessionId({ digest }: Pick<Session, "digest">): string {
  return digest.slice(0, 16);
}
