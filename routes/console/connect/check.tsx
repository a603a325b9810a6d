import { page } from "fresh";
import { ConnectPage } from "../../../components/connect/ConnectPage.tsx";
import { clientAddress } from "../../../lib/admin/audit.ts";
import type { CheckAsked, CheckStep } from "../../../lib/console/connect/check_steps.ts";
import {
  type ConnectData,
  connectPath,
  readConnectData,
  readConnectQuery,
} from "../../../lib/console/connect/connect_page.ts";
import { checkOwnKey, checkSecret } from "../../../lib/console/connect/gateway_check.ts";
import { readStepsQuery, stepsPath } from "../../../lib/console/overview/first_steps.ts";
import { seeOther } from "../../../lib/console/page/address.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { listArrivals } from "../../../lib/store/api_keys/mod.ts";

const timeoutMs = 60_000;

/** Calls the gateway with a key and shows the result on the page. */
export const handler = defineForAccount.handlers({
  GET: () => seeOther("/console/connect"),

  async POST(ctx) {
    const { req, url, state } = ctx;
    const form = await readForm(req);
    const ip = clientAddress(ctx) ?? "";
    const query = readConnectQuery(form, req.headers);
    const data = await readConnectData(query, state, { origin: url.origin, ip });
    const secret = form.get("secret")?.trim();
    if (secret !== undefined && !/^sk-[\x21-\x7e]{1,200}$/.test(secret)) {
      return page<ConnectData>({ ...data, fault: state.catalog.check.pastedMissing }, {
        status: 422,
      });
    }
    const signal = AbortSignal.any([req.signal, AbortSignal.timeout(timeoutMs)]);
    const asked = { state, origin: url.origin, ip, signal, model: data.model };
    const steps = await stepsFor(secret, data, asked);
    if (steps === undefined) {
      return seeOther(connectPath(data));
    }
    if (form.get("from") === "welcome") {
      return seeOther(stepsPath(readStepsQuery(form)));
    }
    return page<ConnectData>({ ...data, steps });
  },
});

/** Returns undefined without a key to check. */
async function stepsFor(
  secret: string | undefined,
  { apiKey }: ConnectData,
  asked: Omit<CheckAsked, "lately">,
): Promise<readonly CheckStep[] | undefined> {
  const { services: { store }, account: { user } } = asked.state;
  const lately = apiKey ? await listArrivals(store, user.id, apiKey.id) : [];
  if (secret !== undefined) return await checkSecret(secret, { ...asked, lately });
  return apiKey && await checkOwnKey(apiKey, { ...asked, lately });
}

export default accountPage<typeof handler>(({ data, url, view }) => (
  <ConnectPage view={view} origin={url.origin} data={data} />
));
