import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AboutFact } from "../../lib/console/settings/about.ts";
import type { ConfigRow, DeliveryFact } from "../../lib/console/settings/settings_page.ts";
import { Panel } from "../Panel.tsx";
import { AboutFacts } from "./AboutFacts.tsx";
import { ConfigFacts, DeliveryState } from "./SettingsFacts.tsx";
import { DefaultFields, GeneralFields, type SettingsProps, SignUpFields } from "./SettingsForm.tsx";

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
  const facts = deliveries.filter(({ name }) =>
    name === group || name === "mail" && group === "signUp"
  );
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
