import { page } from "fresh";
import { AttentionPanel } from "../../components/AttentionPanel.tsx";
import { ConsolePage } from "../../components/ConsolePage.tsx";
import { CreateKeyAction } from "../../components/CreateKeyAction.tsx";
import { untranslated } from "../../components/untranslated.ts";
import { FirstCall } from "../../components/FirstCall.tsx";
import { Icon } from "../../components/Icon.tsx";
import { LatestCalls } from "../../components/LatestCalls.tsx";
import CopyButton from "../../islands/CopyButton.tsx";
import { groupsOf } from "../../lib/console/account_groups.ts";
import { attentionOf } from "../../lib/console/attention.ts";
import { baseUrls } from "../../lib/console/base_urls.ts";
import { loaded } from "../../lib/console/loaded.ts";
import { modelRows } from "../../lib/console/model_rows.ts";
import { defineForAccount } from "../../lib/console/state.ts";
import { accountView } from "../../lib/console/view.ts";
import { listApiKeys, listRequestLogs } from "../../lib/store/mod.ts";

const latestRows = 6;

export const handler = defineForAccount.handlers({
  async GET({ state: { services: { store, directory }, account, nowMs } }) {
    const accountId = account.user.id;
    const [keys, calls, attention] = await Promise.all([
      listApiKeys(store, { accountId }),
      listRequestLogs(store, { accountId, limit: latestRows }),
      loaded(attentionOf(store, account.user, nowMs)),
    ]);
    const groups = groupsOf(account.user, keys, directory);
    return page({
      keyCount: keys.length,
      groupIds: groups.map(({ id }) => id),
      model: modelRows(groups, directory, nowMs)[0]?.id,
      calls: calls.rows,
      attention,
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { overview, copy } = view.catalog;
  const { keyCount, groupIds, model, calls, attention } = data;
  return (
    <ConsolePage
      view={view}
      title={overview.title}
      place="overview"
      split
      action={<CreateKeyAction view={view} groups={groupIds} />}
    >
      <div class="stack">
        <FirstCall
          view={view}
          origin={url.origin}
          keyCount={keyCount}
          model={model}
          last={calls[0]}
        />
        <LatestCalls view={view} calls={calls} />
      </div>
      <aside class="stack">
        <AttentionPanel view={view} items={attention} />
        <section class="panel" aria-labelledby="base-url">
          <header>
            <h2 id="base-url">{overview.baseUrl}</h2>
          </header>
          <dl class="body urls">
            {baseUrls(url.origin).map(({ what, baseUrl }) => (
              <div>
                <dt>{what}</dt>
                <dd class="copy-line">
                  <code {...untranslated}>{baseUrl}</code>
                  <CopyButton text={baseUrl} label={overview.copyUrl(what)} texts={copy} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <a class="link" href="/console/pricing">
          {view.catalog.models.title}
          <Icon name="arrow-right" small />
        </a>
      </aside>
    </ConsolePage>
  );
});
