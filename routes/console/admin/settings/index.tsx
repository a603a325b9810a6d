import { page } from "fresh";
import { FormAlert } from "../../../../components/controls.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { SettingsGroups } from "../../../../components/settings/SettingsGroups.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { auditChanges, changesBetween } from "../../../../lib/admin/audit.ts";
import {
  readSettingsForm,
  type SettingsFaults,
  settingsOfForm,
  type SettingsValues,
  settingsValues,
  settingsWords,
} from "../../../../lib/admin/settings.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { type Flash, takeFlash } from "../../../../lib/console/page/flash.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { formatsFor } from "../../../../lib/console/page/format.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/session/state.ts";
import {
  type AboutFact,
  aboutFacts,
  configRows,
  type DeliveryFact,
  deliveryFacts,
  deliveryTestOf,
} from "../../../../lib/console/settings/settings_page.ts";
import { readSettings, updateSettings } from "../../../../lib/store/catalog/mod.ts";

interface SettingsData {
  readonly values: SettingsValues;
  readonly faults: SettingsFaults;
  readonly about: readonly AboutFact[];
  readonly deliveries: readonly DeliveryFact[];
  /** The message of the previous page. */
  readonly flash?: Flash;
}

/** The settings of the whole site. `?done=` names the last action. */
export const handler = defineForAccount.handlers({
  async GET({ req, state }) {
    const headers = new Headers();
    const flash = await takeFlash(req, headers, state);
    const values = settingsValues(await readSettings(state.services.store));
    const shown = { about: await aboutOf(state), deliveries: await deliveryFacts(state) };
    return page<SettingsData>({ values, faults: {}, ...shown, flash }, { headers });
  },

  async POST(ctx) {
    const { req, state, state: { services: { store, directory } } } = ctx;
    const before = await readSettings(store);
    const values = readSettingsForm(await readForm(req), settingsValues(before));
    const result = settingsOfForm(values);
    if (result.type === "invalid") {
      const shown = { about: await aboutOf(state), deliveries: await deliveryFacts(state) };
      return page<SettingsData>({ values, faults: result.faults, ...shown }, { status: 422 });
    }
    const { settings } = result;
    const target = { targetId: "settings", targetName: settings.siteName };
    const facts = { kind: "settings", action: "changed", ...target } as const;
    const audit = auditChanges(ctx, facts, settingsWords);
    await updateSettings(store, () => settings, { audit });
    await directory.refresh(); // the next page uses them
    const isChanged = changesBetween(settingsWords(before), settingsWords(settings)).length > 0;
    return seeOther(`/console/admin/settings?done=${isChanged ? "saved" : "unchanged"}`);
  },
});

function aboutOf(state: AccountState): Promise<readonly AboutFact[]> {
  return aboutFacts(state, formatsFor(state));
}

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { settings: texts } = view.catalog;
  const tested = deliveryTestOf(data.flash, state.catalog);
  return (
    <ConsolePage view={view} title={texts.title} place="settings" done={texts.done}>
      {tested && !tested.fault && <Notice text={texts.tested[tested.name]} />}
      {tested?.fault && <FormAlert>{`${texts.failed[tested.name]}: ${tested.fault}`}</FormAlert>}
      <SettingsGroups
        view={view}
        values={data.values}
        faults={data.faults}
        usualPrompt={state.services.config.compactionPrompt}
        deliveries={data.deliveries}
        about={data.about}
        rows={configRows(state, formatsFor(state))}
      />
    </ConsolePage>
  );
});
