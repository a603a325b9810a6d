import { digestOf } from "../../../lib/store/mod.ts";

/** The secret of a key of the dump. */
export function largeDumpKey(at: number): string {
  return `sk-load-${at}`;
}

/** A dump of LiteLLM with many keys, each with a user, limits and a budget. */
export function* largeDump(
  { keys, users }: { readonly keys: number; readonly users: number },
): Generator<string> {
  yield "--\n-- PostgreSQL database dump\n--\n\n";
  yield 'COPY public."LiteLLM_UserTable" (user_id, user_email, models) FROM stdin;\n';
  for (let at = 0; at < users; at++) yield `u${at}\tuser${at}@example.com\t{}\n`;
  yield '\\.\n\nCOPY public."LiteLLM_VerificationToken" (token, key_name, key_alias, spend, user_id,' +
    " rpm_limit, max_budget, budget_duration, created_at) FROM stdin;\n";
  for (let at = 0; at < keys; at++) {
    const token = digestOf(largeDumpKey(at));
    yield `${token}\tsk-...load\tkey ${at}\t0.5\tu${
      at % users
    }\t60\t10\t30d\t2025-04-01 00:00:00\n`;
  }
  yield "\\.\n\n--\n-- PostgreSQL database dump complete\n--\n";
}
