import type { AccountView } from "../../lib/console/page/view.ts";
import { refusedCredentials, type UpstreamRow } from "../../lib/console/upstreams/upstream_list.ts";
import { credentialsOf } from "../../lib/upstreams/mod.ts";
import { Form } from "../Form.tsx";
import { Icon } from "../Icon.tsx";
import { Fold } from "../Panel.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
import { TextArea } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";
import { PlaceState } from "./UpstreamStatus.tsx";

interface UpstreamKeysProps {
  readonly view: AccountView;
  readonly row: UpstreamRow;
  readonly hasFault: boolean;
}

/**
 * An upstream's credentials by name, never by secret: the health of each, its removal, and the
 * addition of others.
 */
export function UpstreamKeys({ view, row, hasFault }: UpstreamKeysProps) {
  const { upstreamPage, upstreamAdmin: texts } = view.catalog;
  const { upstream } = row;
  const refused = refusedCredentials(row).length;
  const ids = credentialsOf(upstream).map(({ id }) => id);
  return (
    <Fold
      id="upstream-keys"
      title={texts.keysTitle}
      value={upstreamPage.credentialsValue(ids.length, refused)}
      open={hasFault || refused > 0 || upstream.credentialsFault !== undefined}
    >
      {ids.length > 0
        ? (
          <ListTable
            oneLine
            caption={texts.keysTitle}
            rows={ids}
            keyOf={(id) => id}
            columns={columns(view, row, ids.length - 1)}
          />
        )
        : <p class="hint below">{texts.keysNone}</p>}
      {upstream.origin === "console" && (
        <AddKeys
          view={view}
          id={upstream.id}
          hasFault={hasFault}
        />
      )}
    </Fold>
  );
}

/** The columns of the credentials by their ids. */
function columns(
  view: AccountView,
  { upstream, health }: UpstreamRow,
  left: number,
): readonly TableColumn<string>[] {
  const { upstreamAdmin: texts } = view.catalog;
  const stateOf = (id: string) => {
    const own = health.find((one) => one.credentialId === id && one.model === undefined);
    const isRefused = own?.state !== "closed" && own?.lastError?.code === "upstream_unauthorized";
    return (
      <>
        <PlaceState view={view} health={own} />
        {isRefused && <span class="part bad">{texts.refused(id)}</span>}
      </>
    );
  };
  return [
    {
      head: texts.keysName,
      type: "name",
      cell: (id) => <code class="plain" {...untranslated}>{id}</code>,
    },
    { head: texts.keysState, class: "wrap parts", cell: stateOf },
    {
      head: texts.actions,
      unseen: true,
      class: "act-wide",
      cell: (id) =>
        upstream.origin === "console" && view.may("upstreams:write") && (
          <RemoveKey view={view} upstreamId={upstream.id} id={id} left={left} />
        ),
    },
  ];
}

/** Confirms in a popover, which opens without a script. */
function RemoveKey(
  { view: { catalog: { upstreams, upstreamAdmin: texts } }, upstreamId, id, left }: {
    view: AccountView;
    upstreamId: string;
    id: string;
    left: number;
  },
) {
  const dialog = `remove-${id}`;
  return (
    <>
      <button
        class="button small"
        type="button"
        popovertarget={dialog}
        aria-label={`${texts.keysRemove} ${id}`}
      >
        <Icon name="trash-2" small />
        {texts.keysRemove}
      </button>
      <div
        class="question"
        id={dialog}
        popover="auto"
        role="dialog"
        aria-labelledby={`${dialog}-title`}
      >
        <Form action={`/console/admin/upstreams/${upstreamId}/credentials`}>
          <h3 id={`${dialog}-title`}>{texts.keysRemoveTitle(id)}</h3>
          <p>{texts.keysRemoveText(left)}</p>
          <div class="actions">
            <button
              class="button"
              type="button"
              popovertarget={dialog}
              popovertargetaction="hide"
            >
              {upstreams.cancel}
            </button>
            <button class="button danger" type="submit" name="remove" value={id}>
              {texts.keysRemoveConfirm(id)}
            </button>
          </div>
        </Form>
      </div>
    </>
  );
}

function AddKeys(
  { view: { catalog: { upstreamAdmin: texts, faults } }, id, hasFault }: {
    view: AccountView;
    id: string;
    hasFault: boolean;
  },
) {
  return (
    <Form class="body fields" action={`/console/admin/upstreams/${id}/credentials`}>
      <TextArea
        name="credentials"
        label={texts.keysAdd}
        hint={texts.keysText}
        fault={hasFault ? faults.upstream.newKeys : undefined}
        rows={2}
        autocomplete="off"
        spellcheck={false}
      />
      <div class="actions start">
        <button class="button" type="submit">{texts.keysAddButton}</button>
      </div>
    </Form>
  );
}
