import { HttpError, page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { SessionDetail } from "../../../../components/keys/SessionDetail.tsx";
import { SessionTable } from "../../../../components/keys/SessionTable.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { ListTable } from "../../../../components/list.ts";
import { untranslated } from "../../../../components/untranslated.ts";
import { dollarsCell, Time } from "../../../../components/values.tsx";
import { readableKey } from "../../../../lib/console/keys/own_key.ts";
import { accountPage, type AccountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import {
  cacheReport,
  keySessions,
  type SessionSummary,
  sessionUsage,
} from "../../../../lib/ledger/mod.ts";
import type { ApiKey } from "../../../../lib/store/api_keys/mod.ts";
import { type ChildSpending, listChildSpending } from "../../../../lib/store/money/mod.ts";

const sessionsShown = 100;
const dayMs = 86_400_000;

/** The sessions of a key, and its child keys with budgets; with `?session=`, one session. */
export const handler = defineForAccount.handlers({
  async GET({ params, state, url }) {
    const apiKey = await readableKey(params.id, state);
    const { services: { store }, nowMs } = state;
    const id = url.searchParams.get("session");
    if (!id) {
      const [sessions, children] = await Promise.all([
        keySessions(store, apiKey),
        listChildSpending(store, apiKey, { fromMs: nowMs - dayMs, limit: sessionsShown }),
      ]);
      return page({ apiKey, sessions: sessions.slice(0, sessionsShown), children });
    }
    const usage = await sessionUsage(store, apiKey, { id });
    if (usage.counts.requests === 0) throw new HttpError(404);
    const report = await cacheReport(store, apiKey, { id }, usage.counts);
    return page({ apiKey, id, usage, report });
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { keyPage: { sessions: texts } } = view.catalog;
  const { apiKey } = data;
  const all = `/console/token/${apiKey.id}/sessions`;
  return "sessions" in data
    ? (
      <ConsolePage
        view={view}
        title={texts.title}
        place="keys"
        up={{ href: `/console/token/${apiKey.id}`, text: apiKey.name }}
      >
        <Sessions view={view} apiKey={apiKey} sessions={data.sessions} />
        {data.children.length > 0 && <Children view={view} rows={data.children} />}
      </ConsolePage>
    )
    : (
      <ConsolePage view={view} title={data.id} place="keys" up={{ href: all, text: texts.title }}>
        <SessionDetail {...data} view={view} />
      </ConsolePage>
    );
});

interface OfKey {
  readonly view: AccountView;
  readonly apiKey: ApiKey;
}

function Sessions({ view, apiKey, sessions }: OfKey & { sessions: readonly SessionSummary[] }) {
  const { catalog: { keyPage: { sessions: texts } }, formats } = view;
  return (
    <Panel id="sessions" title={texts.title}>
      <p class="body soft">{sessions.length === 0 ? texts.none : texts.text}</p>
      {sessions.length > 0 && (
        <SessionTable
          view={view}
          caption={texts.session}
          end={texts.lastUsed}
          rows={sessions.map(({ id, lastAtMs, counts }) => ({
            id,
            name: (
              <A href={`/console/token/${apiKey.id}/sessions?session=${id}`} {...untranslated}>
                {id}
              </A>
            ),
            end: <Time atMs={lastAtMs} formats={formats} />,
            counts,
          }))}
        />
      )}
    </Panel>
  );
}

/** The child keys with budgets; their calls are in the sessions. */
function Children(
  { view: { catalog, formats, nowMs }, rows }: {
    readonly view: AccountView;
    readonly rows: readonly ChildSpending[];
  },
) {
  const { children: texts, sessions: { cost } } = catalog.keyPage;
  return (
    <Panel id="children" title={texts.title}>
      <p class="body soft">{texts.text}</p>
      <ListTable
        caption={texts.title}
        rows={rows}
        keyOf={({ endsAtMs, name }) => `${endsAtMs} ${name}`}
        isOff={({ endsAtMs }) => endsAtMs <= nowMs}
        columns={[
          { head: texts.name, type: "name", at: "name", cell: ({ name }) => name },
          {
            head: cost,
            type: "number",
            at: "first",
            cell: dollarsCell(formats, ({ spentNanoUsd }) => spentNanoUsd),
          },
          { head: texts.end, cell: ({ endsAtMs }) => <Time atMs={endsAtMs} formats={formats} /> },
        ]}
      />
    </Panel>
  );
}
