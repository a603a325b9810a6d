import type { ComponentChildren } from "preact";
import SaveBar from "../../islands/SaveBar.tsx";
import {
  languages,
  type SettingsFaults,
  type SettingsValues,
  themes,
} from "../../lib/admin/settings.ts";
import { catalogs } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { signUps } from "../../lib/store/catalog/mod.ts";
import { FormAlert } from "../FormAlert.tsx";
import { bindFields, SelectField, TextArea, TextField } from "../controls.tsx";

export interface SettingsProps {
  readonly view: AccountView;
  readonly values: SettingsValues;
  readonly faults: SettingsFaults;
}

type FieldName = keyof SettingsValues;

/** The name, contact and notice of the site. */
export function GeneralFields(props: SettingsProps) {
  const { settings: texts } = props.view.catalog;
  return (
    <GroupForm {...props} names={["siteName", "contact", "notice"]}>
      <TextField {...fieldOf(props, "siteName", texts.siteName)} hint={texts.siteNameHint} />
      <TextField {...fieldOf(props, "contact", texts.contactField)} hint={texts.contactHint} />
      <TextArea {...fieldOf(props, "notice", texts.notice)} hint={texts.noticeHint} rows={2} />
    </GroupForm>
  );
}

/** The way to an account, and the pages that need none. */
export function SignUpFields(props: SettingsProps) {
  const { view: { catalog: { settings: texts } }, values } = props;
  return (
    <GroupForm {...props} names={["signUp", "signUpDomains"]}>
      <SelectField
        {...fieldOf(props, "signUp", texts.signUp)}
        options={signUps.map((one) => [one, texts.signUps[one]] as const)}
      />
      <TextArea
        {...fieldOf(props, "signUpDomains", texts.signUpDomains)}
        hint={texts.signUpDomainsHint}
        rows={2}
      />
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
export function DefaultFields(props: SettingsProps) {
  const { settings: texts } = props.view.catalog;
  const named = languages.map((one) =>
    [one, one === "browser" ? texts.browserLanguage : catalogs[one].language] as const
  );
  const zones = Intl.supportedValuesOf("timeZone").concat("UTC")
    .map((zone) => [zone, zone] as const);
  return (
    <GroupForm {...props} names={["theme", "language", "timeZone"]}>
      <SelectField
        {...fieldOf(props, "theme", texts.theme)}
        options={themes.map((one) => [one, texts.themes[one]])}
      />
      <SelectField {...fieldOf(props, "language", texts.language)} options={named} />
      <SelectField
        {...fieldOf(props, "timeZone", texts.timeZone)}
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
    <form class="settings-form" method="post" action="/console/admin/settings" noValidate>
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
    </form>
  );
}

function fieldOf({ view, values, faults }: SettingsProps, name: FieldName, label: string) {
  return { ...bindFields(values, faults, view.catalog.faults.settings)(name), label };
}
