import { page } from "fresh";
import { CreateLink } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { WebhookPanel } from "../../../../components/webhooks/WebhookPanel.tsx";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { readWebhookList, webhookList } from "../../../../lib/console/webhooks/webhook_list.ts";

/** All receivers of events, each with its last delivery. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const query = readQuery(webhookList, url.searchParams);
    return page({ query, list: await readWebhookList(state, query) });
  },
});

export default accountPage<typeof handler>(({ data: { query, list }, view }) => {
  const { webhooks: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="webhooks"
      action={<CreateLink href="/console/admin/webhooks/new">{texts.add}</CreateLink>}
      done={texts.done}
    >
      <WebhookPanel view={view} query={query} page={list} />
    </ConsolePage>
  );
});
