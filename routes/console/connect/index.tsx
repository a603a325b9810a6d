import { page } from "fresh";
import { ConnectPage } from "../../../components/connect/ConnectPage.tsx";
import { clientAddress } from "../../../lib/admin/audit.ts";
import { readConnectData, readConnectQuery } from "../../../lib/console/connect/connect_page.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** Instructions for clients, and a live check that a client has reached the gateway. */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const { req, url, state } = ctx;
    const query = readConnectQuery(url.searchParams, req.headers);
    const from = { origin: url.origin, ip: clientAddress(ctx) };
    return page(await readConnectData(query, state, from));
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => (
  <ConnectPage view={view} origin={url.origin} data={data} />
));
