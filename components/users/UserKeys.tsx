import type { KeyListRow } from "../../lib/console/keys/key_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { Failed, Status } from "../States.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
import { Sparkline } from "../chart/TinyCharts.tsx";
import { KeyTag, keyTones, Limit } from "../keys/KeyTable.tsx";
import { dollarsCell, Time } from "../values.tsx";

const rowsShown = 20;

/** The keys of a user, the highest spend first. Each can be disabled or rotated in its row. */
export function UserKeys(
  { view, userId, rows }: {
    view: AccountView;
    userId: string;
    rows: readonly KeyListRow[] | undefined;
  },
) {
  const { keys, users: texts } = view.catalog;
  const href = `/console/token?who=everyone&owner=${userId}`;
  return (
    <Panel
      id="keys"
      title={keys.title}
      end={
        <>
          <A class="link" href={href}>{texts.allKeys}</A>
          <A class="button small" href={`/console/token/new?user=${userId}`} data-create>
            {keys.create}
          </A>
        </>
      }
    >
      {rows === undefined
        ? <Failed view={view} title={keys.failed} />
        : rows.length === 0
        ? <p class="body soft">{texts.noKeys}</p>
        : (
          <ListTable
            caption={texts.keysOf}
            rows={rows.slice(0, rowsShown)}
            keyOf={({ apiKey }) => apiKey.id}
            isOff={({ apiKey }) => !apiKey.enabled}
            columns={columnsOf(view, userId)}
          />
        )}
    </Panel>
  );
}

function columnsOf(view: AccountView, userId: string): readonly TableColumn<KeyListRow>[] {
  const { catalog: { keys, keyList, keyStatus, keyAdmin, spend, users: texts }, formats } = view;
  return [
    {
      head: keys.name,
      type: "name",
      at: "name",
      cell: ({ apiKey }) => (
        <span>
          <A href={`/console/token/${apiKey.id}`}>{apiKey.name}</A>
          <KeyTag view={view} apiKey={apiKey} />
        </span>
      ),
    },
    {
      head: keys.status,
      at: "below",
      cell: ({ statuses: [status] }) => <Status tone={keyTones[status]}>{keyStatus[status]}
      </Status>,
    },
    {
      head: keyAdmin.trend,
      class: "trend",
      from: 880,
      cell: ({ days = [] }) => <Sparkline amounts={days.map(Number)} />,
    },
    {
      head: spend.spent(spend.days(30)),
      at: "second",
      type: "number",
      cell: dollarsCell(formats, ({ counts }) => counts?.costNanoUsd),
    },
    { head: keyList.limit, cell: ({ budget }) => <Limit view={view} budget={budget} /> },
    {
      head: texts.lastCall,
      class: "quiet",
      from: 880,
      cell: ({ apiKey: { lastUsedAtMs: atMs } }) =>
        atMs === undefined ? keys.neverUsed : <Time atMs={atMs} formats={formats} />,
    },
    {
      head: keys.actions,
      unseen: true,
      class: "act",
      cell: (row) => <Actions view={view} row={row} userId={userId} />,
    },
  ];
}

function Actions(
  { view: { catalog: { keys, keyPage } }, row: { apiKey }, userId }: {
    view: AccountView;
    row: KeyListRow;
    userId: string;
  },
) {
  if (apiKey.origin !== "console") return null;
  const path = `/console/token/${apiKey.id}`;
  const word = apiKey.enabled ? keys.disable : keys.enable;
  return (
    <Form class="row-actions" action={`${path}/enabled`}>
      <input type="hidden" name="back" value={`/console/admin/users/${userId}`} />
      <button
        class="button small"
        type="submit"
        name="enabled"
        value={String(!apiKey.enabled)}
        aria-label={`${word} ${apiKey.name}`}
      >
        {word}
      </button>
      {!apiKey.device && (
        <A
          class="button small"
          href={`${path}/rotate`}
          aria-label={`${keyPage.rotate} ${apiKey.name}`}
        >
          {keyPage.rotate}
        </A>
      )}
    </Form>
  );
}
