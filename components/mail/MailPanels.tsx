import type { MailPageData, RecentMail } from "../../lib/console/mail/mail_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { mailSecurities } from "../../lib/store/mail/mod.ts";
import type { WebhookDelivery } from "../../lib/store/webhooks/mod.ts";
import { deliveryState } from "../../lib/console/webhooks/webhook_page.ts";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, Status } from "../States.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
import { bindFields, FormAlert, SelectField, TextField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Time } from "../values.tsx";
import { deliveryTones } from "../webhooks/WebhookHead.tsx";

const path = "/console/admin/settings/mail";

/** The mail server: its form, or the facts of the configuration's. */
export function MailServerPanel(
  { view, data, hasPublicUrl }: { view: AccountView; data: MailPageData; hasPublicUrl: boolean },
) {
  const { mail: texts } = view.catalog;
  const { server, isConfigured } = data;
  return (
    <Panel id="server" title={texts.server} end={server && <TestButton view={view} />}>
      {isConfigured
        ? <ServerFacts view={view} data={data} />
        : <ServerForm view={view} data={data} />}
      {!hasPublicUrl && <p class="body hint">{texts.noPublicUrl}</p>}
    </Panel>
  );
}

function TestButton({ view }: { view: AccountView }) {
  const { mail: texts } = view.catalog;
  return (
    <Form action={path}>
      <button
        class="button small"
        type="submit"
        name="action"
        value="test"
        title={texts.testTo(view.user.email)}
      >
        {texts.test}
      </button>
    </Form>
  );
}

function ServerFacts({ view, data: { server } }: { view: AccountView; data: MailPageData }) {
  const { mail: texts } = view.catalog;
  if (!server) return null;
  const { host, port, security, username, from } = server;
  return (
    <div class="body">
      <p class="soft">{texts.configured}</p>
      <Facts>
        <Fact name={texts.host} {...untranslated}>{`${host}:${port}`}</Fact>
        <Fact name={texts.security}>{texts.securities[security]}</Fact>
        {username !== undefined && <Fact name={texts.username} {...untranslated}>{username}</Fact>}
        <Fact name={texts.from} {...untranslated}>{from}</Fact>
      </Facts>
    </div>
  );
}

function ServerForm({ view, data }: { view: AccountView; data: MailPageData }) {
  const { mail: texts } = view.catalog;
  const { values, faults, server } = data;
  const field = bindFields({ values, faults, texts, faultTexts: texts.fieldFaults });
  const hasPassword = server?.password !== undefined;
  return (
    <Form class="body fields" action={path} noValidate isRecord>
      {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
      <p class="soft">{texts.text}</p>
      <div class="pair">
        <TextField {...field("host")} required spellcheck={false} />
        <TextField {...field("port")} inputmode="numeric" />
      </div>
      <SelectField
        {...field("security")}
        options={mailSecurities.map((one) => [one, texts.securities[one]] as const)}
      />
      <div class="pair">
        <TextField {...field("username")} spellcheck={false} />
        <TextField
          {...field("password")}
          hint={hasPassword ? texts.passwordKept : texts.passwordHint}
          type="password"
          autocomplete="new-password"
        />
      </div>
      <TextField {...field("from")} type="email" required />
      <div class="actions start">
        <button class="button primary" type="submit" name="action" value="save">
          {texts.save}
        </button>
        {server && (
          <button class="button" type="submit" name="action" value="remove">{texts.remove}</button>
        )}
      </div>
    </Form>
  );
}

/** The last mails of the queue, with what is wrong. */
export function RecentMailPanel(
  { view, recent }: { view: AccountView; recent: readonly RecentMail[] },
) {
  const { mail: { recent: texts } } = view.catalog;
  return (
    <Panel id="recent" title={texts.title}>
      {recent.length === 0
        ? <Empty icon="megaphone" title={texts.empty} text={texts.emptyText} />
        : (
          <ListTable
            caption={texts.caption}
            label={texts.title}
            rows={recent}
            keyOf={({ delivery }) => delivery.eventId}
            columns={columns(view)}
          />
        )}
    </Panel>
  );
}

function columns(view: AccountView): readonly TableColumn<RecentMail>[] {
  const { catalog: { mail: { recent: texts } }, formats } = view;
  return [
    {
      head: texts.subject,
      at: "name",
      type: "name",
      cell: ({ subject }) => <span>{subject ?? texts.sealed}</span>,
    },
    { head: texts.to, at: "first", cell: ({ to = "" }) => <span {...untranslated}>{to}</span> },
    {
      head: texts.status,
      at: "below",
      cell: ({ delivery }) => <MailStatus view={view} delivery={delivery} />,
    },
    {
      head: texts.time,
      class: "quiet",
      cell: ({ delivery }) => <Time atMs={delivery.createdAtMs} formats={formats} as="moment" />,
    },
  ];
}

function MailStatus({ view, delivery }: { view: AccountView; delivery: WebhookDelivery }) {
  const { mail: texts } = view.catalog;
  const state = deliveryState(delivery);
  const last = delivery.history.at(-1);
  const faults: Readonly<Record<string, string>> = texts.faults;
  const fault = state === "delivered" ? undefined : faults[last?.fault ?? ""];
  const status = last?.status === undefined ? "" : ` (${last.status})`;
  return (
    <span>
      <Status tone={deliveryTones[state]}>{texts.recent.states[state]}</Status>
      {fault && <span class="soft">{` · ${fault}${status}`}</span>}
    </span>
  );
}
