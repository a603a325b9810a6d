import { type AccountView, catalogs, signUps, themes } from "../../lib/console/page/view.ts";
import {
  languages,
  type SettingsFaults,
  type SettingsValues,
} from "../../lib/console/settings/settings_form.ts";
import { FormAlert } from "../FormAlert.tsx";
import { Panel } from "../Panel.tsx";
import { SelectField, TextArea, TextField } from "../controls.tsx";

interface SettingsFormProps {
  readonly view: AccountView;
  readonly values: SettingsValues;
  readonly faults: SettingsFaults;
}

/** The settings of the site. */
export function SettingsForm(props: SettingsFormProps) {
  const { view: { catalog: { settings: texts } }, faults } = props;
  return (
    <Panel id="site" title={texts.site}>
      <form
        class="body fields parted"
        method="post"
        action="/console/admin/settings"
        noValidate
      >
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <div class="pair">
          <Line {...props} name="siteName" label={texts.siteName} hint={texts.siteNameHint} />
          <Line
            {...props}
            name="contact"
            label={texts.contactField}
            hint={texts.contactHint}
            optional={texts.optional}
          />
        </div>
        <Lines {...props} name="notice" label={texts.notice} hint={texts.noticeHint} />
        <Accounts {...props} />
        <Defaults {...props} />
        <div class="actions start">
          <button class="button primary" type="submit">{texts.save}</button>
        </div>
      </form>
    </Panel>
  );
}

function Accounts(props: SettingsFormProps) {
  const { view: { catalog: { settings: texts } }, values } = props;
  const choices = signUps.map((one) => [one, texts.signUps[one]] as const);
  return (
    <fieldset class="fields">
      <legend class="legend">{texts.accounts}</legend>
      <div class="pair">
        <Choice {...props} name="signUp" label={texts.signUp} choices={choices} />
        <Lines
          {...props}
          name="signUpDomains"
          label={texts.signUpDomains}
          hint={texts.signUpDomainsHint}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          name="publicPricing"
          value="true"
          checked={values.publicPricing === "true"}
        />
        <span>{texts.publicPricing}</span>
      </label>
    </fieldset>
  );
}

function Defaults(props: SettingsFormProps) {
  const { settings: texts } = props.view.catalog;
  const named = languages.map((one) =>
    [one, one === "browser" ? texts.browserLanguage : catalogs[one].language] as const
  );
  const zones = Intl.supportedValuesOf("timeZone").concat("UTC").map((zone) =>
    [zone, zone] as const
  );
  return (
    <fieldset class="fields">
      <legend class="legend">{texts.defaults}</legend>
      <p class="hint">{texts.defaultsText}</p>
      <div class="quarters">
        <Choice
          {...props}
          name="theme"
          label={texts.theme}
          choices={themes.map((one) => [one, texts.themes[one]])}
        />
        <Choice {...props} name="language" label={texts.language} choices={named} />
        <Choice
          {...props}
          name="timeZone"
          label={texts.timeZone}
          choices={[["browser", texts.browserZone], ...zones]}
        />
      </div>
    </fieldset>
  );
}

type Named = SettingsFormProps & {
  readonly name: keyof SettingsValues & keyof AccountView["catalog"]["settings"]["fault"];
  readonly label: string;
  readonly hint?: string;
  /** Shown if the field is optional. */
  readonly optional?: string;
};

function fieldOf({ view, values, faults, name, label, hint, optional }: Named) {
  const fault = faults[name] && view.catalog.settings.fault[name];
  return { name, label, hint, optional, fault, value: values[name] };
}

function Line(props: Named) {
  return <TextField {...fieldOf(props)} />;
}

function Lines(props: Named) {
  return <TextArea {...fieldOf(props)} optional={props.view.catalog.settings.optional} rows={3} />;
}

function Choice(props: Named & { choices: readonly (readonly [string, string])[] }) {
  return <SelectField {...fieldOf(props)} options={props.choices} />;
}
