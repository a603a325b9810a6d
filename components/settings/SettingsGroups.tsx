import type { ComponentChildren } from "preact";
import SaveBar from "../../islands/SaveBar.tsx";
import {
  languages,
  type SettingsFaults,
  type SettingsValues,
  themes,
} from "../../lib/admin/settings.ts";
import { type Catalog, catalogs } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type {
  AboutFact,
  ConfigRow,
  DeliveryFact,
} from "../../lib/console/settings/settings_page.ts";
import { signUps, upstreamOrders } from "../../lib/store/catalog/mod.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { bindFields, FormAlert, SelectField, TextArea, TextField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts, Time } from "../values.tsx";

interface SettingsGroupsProps extends SettingsProps {
  readonly deliveries: readonly DeliveryFact[];
  readonly rows: readonly ConfigRow[];
  readonly about: readonly AboutFact[];
}

type Group = keyof Catalog["settings"]["groups"];

/** The rows of the config file in the group that they belong to. */
const rowsOf = {
  general: [],
  signUp: ["setupLinkHours", "sessionDays"],
  defaults: [],
  limits: ["bodyBytesMax", "attemptsMax", "pageRowsMax", "redemptionCodesMax"],
  mail: [],
  alerts: ["thresholds", "lowBalance", "alertRetentionDays"],
  payments: ["paymentUsdMin", "paymentUsdMax"],
  about: ["logRetentionDays", "logArchive", "responseRetentionDays", "timeZone"],
} as const satisfies Record<Group, readonly ConfigRow["what"][]>;

const groups = Object.keys(rowsOf) as readonly Group[]; // the table's own

/** All settings in one column, each group with a form of its own. */
export function SettingsGroups(props: SettingsGroupsProps) {
  const { settings: texts } = props.view.catalog;
  return (
    <div class="settings">
      <nav class="settings-nav" aria-label={texts.title}>
        {groups.map((group) => <a key={group} href={`#${group}`}>{texts.groups[group]}</a>)}
      </nav>
      <div class="stack">
        {groups.map((group) => <Group key={group} {...props} group={group} />)}
      </div>
    </div>
  );
}

function Group(props: SettingsGroupsProps & { group: Group }) {
  const { view, group, deliveries, rows, about } = props;
  const { settings: texts } = view.catalog;
  const names: readonly string[] = rowsOf[group];
  const facts = deliveries.filter(({ name }) => name === group);
  const beside = group === "defaults" && <span class="hint">{texts.defaultsText}</span>;
  return (
    <Panel id={group} title={texts.groups[group]} beside={beside}>
      <Fields {...props} />
      {facts.map((fact) => <DeliveryState key={fact.name} view={view} fact={fact} />)}
      {group === "about" && <AboutFacts view={view} facts={about} />}
      <ConfigFacts view={view} rows={rows.filter(({ what }) => names.includes(what))} />
    </Panel>
  );
}

function Fields({ group, ...props }: SettingsProps & { group: Group }) {
  switch (group) {
    case "general":
      return <GeneralFields {...props} />;
    case "signUp":
      return <SignUpFields {...props} />;
    case "defaults":
      return <DefaultFields {...props} />;
    default:
      return null;
  }
}

/** The versions, the store and the start of the gateway, with its health and its documents. */
function AboutFacts({ view, facts }: { view: AccountView; facts: readonly AboutFact[] }) {
  const { catalog: { about: texts }, formats } = view;
  return (
    <>
      <Facts class="body">
        {facts.map((fact) => (
          <Fact key={fact.name} name={texts.facts[fact.name]}>
            {fact.name === "since"
              ? <Time atMs={fact.atMs} formats={formats} as="moment" />
              : fact.text}
          </Fact>
        ))}
      </Facts>
      <p class="body about-links">
        <A class="link" href="/readyz">{texts.health}</A>
        <A class="link" href="/docs">{texts.documents}</A>
      </p>
    </>
  );
}

/** The set-up of alerts, payments or mail, with a test button. */
function DeliveryState({ view, fact }: { view: AccountView; fact: DeliveryFact }) {
  const { settings: texts, mail } = view.catalog;
  const { name, text, isSet } = fact;
  return (
    <div class="body delivery">
      <Status tone={isSet ? "ok" : "off"}>{texts[name]}</Status>
      <span class="soft">{text}</span>
      {name === "mail" && (
        <A class="button small" href="/console/admin/settings/mail">
          {isSet ? mail.change : mail.setUp}
        </A>
      )}
      {isSet && name !== "mail" && (
        <Form action="/console/admin/settings/test">
          <button class="button small" type="submit" name="delivery" value={name}>
            {name === "alerts" ? texts.alertsTest : texts.paymentsCheck}
          </button>
        </Form>
      )}
    </div>
  );
}

/** Read-only settings, each with the configuration field that sets it. */
function ConfigFacts({ view, rows }: { view: AccountView; rows: readonly ConfigRow[] }) {
  const { settings: texts } = view.catalog;
  if (rows.length === 0) return null;
  return (
    <details class="fold rare">
      <summary>
        <Icon name="chevron-right" small />
        {texts.fixed}
        <span class="hint">{texts.fixedText(rows.length)}</span>
      </summary>
      <Facts>
        {rows.map(({ what, value, field }) => (
          <Fact key={field} name={texts.rows[what]}>
            {value} <code {...untranslated}>{field}</code>
          </Fact>
        ))}
      </Facts>
    </details>
  );
}

interface SettingsProps {
  readonly view: AccountView;
  readonly values: SettingsValues;
  readonly faults: SettingsFaults;
  /** The compaction prompt of the configuration. */
  readonly usualPrompt: string | undefined;
}

type FieldName = keyof SettingsValues;

/** The name, contact and notice of the site, and the prompt of its compactions. */
function GeneralFields(props: SettingsProps) {
  const { view: { catalog: { settings: texts } } } = props;
  const field = bind(props);
  return (
    <GroupForm
      {...props}
      names={["siteName", "contact", "notice", "upstreamOrder", "compactionPrompt"]}
    >
      <TextField {...field("siteName")} />
      <TextField {...field("contact")} />
      <TextArea {...field("notice")} rows={2} />
      <SelectField
        {...field("upstreamOrder")}
        options={upstreamOrders.map((one) => [one, texts.upstreamOrders[one]] as const)}
      />
      <TextArea {...field("compactionPrompt")} rows={4} placeholder={props.usualPrompt} />
    </GroupForm>
  );
}

/** The way to an account, and the pages that need none. */
function SignUpFields(props: SettingsProps) {
  const { view: { catalog: { settings: texts } }, values } = props;
  const field = bind(props);
  return (
    <GroupForm {...props} names={["signUp", "signUpDomains"]}>
      <SelectField
        {...field("signUp")}
        options={signUps.map((one) => [one, texts.signUps[one]] as const)}
      />
      <TextArea {...field("signUpDomains")} rows={2} />
      <label class="check">
        <input
          type="checkbox"
          name="publicPricing"
          value="true"
          checked={values.publicPricing === "true"}
        />
        <span>{texts.publicPricing}</span>
      </label>
    </GroupForm>
  );
}

/** Theme, language and time zone of users without a choice of their own. */
function DefaultFields(props: SettingsProps) {
  const { settings: texts } = props.view.catalog;
  const field = bind(props);
  const named = languages.map((one) =>
    [one, one === "browser" ? texts.browserLanguage : catalogs[one].language] as const
  );
  const zones = Intl.supportedValuesOf("timeZone").concat("UTC")
    .map((zone) => [zone, zone] as const);
  return (
    <GroupForm {...props} names={["theme", "language", "timeZone"]}>
      <SelectField
        {...field("theme")}
        options={themes.map((one) => [one, texts.themes[one]])}
      />
      <SelectField {...field("language")} options={named} />
      <SelectField
        {...field("timeZone")}
        options={[["browser", texts.browserZone], ...zones]}
      />
    </GroupForm>
  );
}

/** The form of one group, which leaves the settings of the others as they are. */
function GroupForm(
  { view, faults, names, children }: SettingsProps & {
    names: readonly FieldName[];
    children: ComponentChildren;
  },
) {
  const { settings: texts } = view.catalog;
  const isInvalid = names.some((name) => faults[name]);
  return (
    <Form class="settings-form" action="/console/admin/settings" noValidate isRecord>
      <div class="body fields">
        {isInvalid && <FormAlert>{texts.problem}</FormAlert>}
        {children}
      </div>
      <SaveBar
        unsaved={texts.unsaved}
        discard={texts.discard}
        save={texts.save}
        changed={isInvalid}
      />
    </Form>
  );
}

function bind({ view, values, faults }: SettingsProps) {
  const { settings, faults: { settings: faultTexts } } = view.catalog;
  const texts = { ...settings, contact: settings.contactField };
  return bindFields({ values, faults, texts, faultTexts });
}
