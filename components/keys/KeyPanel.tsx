import { keyList, type KeyListPage } from "../../lib/console/keys/key_list.ts";
import { keyStatuses } from "../../lib/console/keys/key_status.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import { A, ListPanel, type PanelProps } from "../list.ts";
import { KeyBulk } from "./KeyBulk.tsx";
import { KeyColumns } from "./KeyColumns.tsx";
import { keyTableColumns } from "./KeyTable.tsx";

interface KeyPanelProps extends PanelProps<typeof keyList> {
  readonly page: KeyListPage | undefined;
}

/** The account's keys. */
export function KeyPanel(props: KeyPanelProps) {
  const { view, query, page } = props;
  const { keys, keyStatus, keyList: texts } = view.catalog;
  const back = listHref(keyList, query, query);
  const groups = [...new Set(page?.keys.map(({ groupId }) => groupId))].sort();
  return (
    <ListPanel
      {...props}
      id="keys"
      list={keyList}
      texts={keys}
      icon="key-round"
      columns={keyTableColumns(view, { chosen: page?.columns ?? [], back })}
      keyOf={({ apiKey }) => apiKey.id}
      isOff={({ statuses: [status] }) => status === "disabled" || status === "expired"}
      filters={[
        { name: "q", label: keys.search },
        {
          name: "status",
          label: keys.status,
          any: keys.anyStatus,
          options: keyStatuses.map((status) => [status, keyStatus[status]]),
        },
        (groups.length > 1 || query.fields.group !== undefined) && {
          name: "group",
          label: keys.group,
          any: texts.anyGroup,
          options: groups.map((id) => [id, id]),
        },
      ]}
      end={page && page.total !== 0 && <KeyColumns view={view} columns={page.columns} />}
      below={<KeyBulk view={view} back={back} />}
      firstStep={<A class="button" href="/console/token/new">{keys.create}</A>}
    />
  );
}
