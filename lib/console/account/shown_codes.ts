import { seeOther } from "../page/address.ts";
import { keepShownOnce } from "../page/shown_once.ts";
import type { SessionScope } from "../session/state.ts";

/** Redirects to the page that shows new recovery codes once. */
export async function showCodes(
  codes: readonly string[],
  scope: SessionScope,
): Promise<Response> {
  const once = await keepShownOnce(codes.join("\n"), scope);
  return seeOther(`/console/account/totp/shown?once=${once}`);
}
