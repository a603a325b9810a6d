import Notice from "../../islands/Notice.tsx";
import { type DevicePageData, devicesPath } from "../../lib/console/account/devices.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import { waitInWords } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { RowButton } from "../RowButton.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
import { SelectField, TextField } from "../controls.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

interface Props {
  readonly view: AccountView;
  readonly data: DevicePageData;
}

/** The page on which a person signs a device in by its code, with the account's devices. */
export function DevicesPage(
  { view, data, done }: Props & {
    /** The last action. */
    readonly done?: keyof Catalog["security"]["devices"]["done"];
  },
) {
  const { devices: texts } = view.catalog.security;
  return (
    <ConsolePage view={view} title={texts.title} place="account">
      {done && <Notice text={texts.done[done]} />}
      <SignIn view={view} data={data} />
      <Panel id="devices" title={texts.label}>
        {data.devices.length === 0 ? <p class="body hint">{texts.none}</p> : (
          <ListTable
            oneLine
            caption={texts.caption}
            label={texts.label}
            rows={data.devices}
            keyOf={({ id }) => id}
            columns={columns(view)}
          />
        )}
      </Panel>
    </ConsolePage>
  );
}

/** The form never submits itself: a person must compare the code (RFC 8628, 5.4). */
function SignIn({ view, data: { groupIds, code, fault, waitSeconds } }: Props) {
  const { catalog, catalog: { security: { devices: texts }, balance } } = view;
  const wait = waitSeconds && balance.codeWait(waitInWords(waitSeconds, catalog));
  const isGroups = fault === "group";
  return (
    <Panel id="sign-in" title={texts.signIn}>
      <form class="body fields" method="post" action={devicesPath} noValidate>
        <p class="soft">{texts.text}</p>
        <TextField
          name="code"
          label={texts.code}
          hint={texts.codeHint}
          value={code}
          fault={fault && !isGroups ? texts.faults[fault] : wait || undefined}
          maxLength={40}
          {...untranslated}
        />
        {groupIds.length === 1 && !isGroups
          ? <input type="hidden" name="group" value={groupIds[0]} />
          : (
            <SelectField
              name="group"
              label={texts.group}
              fault={isGroups ? texts.faults[fault] : undefined}
              options={groupIds.map((id) => [id, id] as const)}
            />
          )}
        <div class="actions start">
          <button class="button primary" type="submit">{texts.submit}</button>
          <button class="button" type="submit" name="refuse" value="true">{texts.refuse}</button>
        </div>
      </form>
    </Panel>
  );
}

function columns({ catalog, formats }: AccountView): readonly TableColumn<ApiKey>[] {
  const { devices: texts } = catalog.security;
  return [
    {
      head: texts.name,
      type: "name",
      cell: ({ id, name }) => <A href={`/console/token/${id}`} {...untranslated}>{name}</A>,
    },
    {
      head: texts.used,
      class: "quiet",
      cell: ({ lastUsedAtMs }) =>
        lastUsedAtMs === undefined ? texts.never : <Time atMs={lastUsedAtMs} formats={formats} />,
    },
    {
      head: texts.begun,
      class: "quiet",
      cell: ({ createdAtMs }) => <Time atMs={createdAtMs} formats={formats} as="moment" />,
    },
    {
      head: texts.action,
      unseen: true,
      class: "number",
      cell: ({ id, name }) => (
        <RowButton
          action={devicesPath}
          name="device"
          value={id}
          text={texts.end}
          label={texts.endFor(name)}
        />
      ),
    },
  ];
}
