import { may } from "../../accounts/mod.ts";
import { lookUpCall, readRequestId } from "../../admin/calls.ts";
import type { RequestLogRow } from "../../store/log/mod.ts";
import { getUser } from "../../store/users/mod.ts";
import { verdictOf } from "../../verdict/mod.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { fixOf } from "./call_fix.ts";
import { otherUpstreams, readSameFailure } from "./same_failure.ts";

/** The data of a call, for its page and for the drawer. */
export type CallPage = Awaited<ReturnType<typeof readCallPage>>;
/** Of a call that the reader may see. */
export type FoundCall = CallPage & { readonly call: RequestLogRow };

/**
 * Reads a call with everything that explains a failure. Only administrators see other accounts'
 * calls; for anyone else they do not exist. `link` is the address of the call's page.
 */
export async function readCallPage(
  wanted: string,
  { state, linkOf }: { readonly state: AccountState; readonly linkOf: (id: string) => string },
) {
  const { services: { store, directory, archive: place }, account: { user }, nowMs } = state;
  const id = readRequestId(wanted);
  const result = id && await lookUpCall({ store, place }, { id, accountId: user.id });
  const isUnreadable = result === "unreadable";
  const found = isUnreadable || !result ? undefined : result;
  const own = found?.accountId === user.id;
  const seesAll = may(user, "see-all-accounts");
  const call = own || seesAll ? found : undefined;
  const verdict = call && verdictOf(call);
  const same = verdict &&
    await tryLoad(readSameFailure(store, call, seesAll ? undefined : user.id));
  const untried = verdict && seesAll ? otherUpstreams(call, directory, nowMs) : undefined;
  const fix = verdict && fixOf(call, verdict, untried);
  const payer = call && !own ? await getUser(store, call.accountId) : undefined;
  const { contact } = directory.settings();
  const failed = { same, untried, fix, link: call ? linkOf(call.id) : "", contact };
  return { call, account: payer?.email, failed, isUnreadable };
}
