import { keepShownOnce } from "../page/shown_once.ts";
import type { AccountState } from "../session/state.ts";

/** Redirects to the page that shows new recovery codes once. */
export async function showCodes(
  codes: readonly string[],
  { services: { store }, account }: AccountState,
): Promise<Response> {
  const to = { store, sessionDigest: account.session.digest };
  const once = await keepShownOnce(codes.join("\n"), to);
  const location = `/console/account/totp/shown?once=${once}`;
  return new Response(null, { status: 303, headers: { location } });
}
