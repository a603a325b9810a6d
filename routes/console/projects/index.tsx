import { page } from "fresh";
import { A } from "../../../components/A.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { untranslated } from "../../../components/untranslated.ts";
import { administeredBy } from "../../../lib/accounts/mod.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** The projects that the reader administers. */
export const handler = defineForAccount.handlers({
  GET({ state: { services, account } }) {
    const projects = administeredBy(account.user, services.directory.projects());
    return page({ ids: projects.map(({ id }) => id) });
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { projects: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.own} place="account">
      <Panel id="projects" title={texts.own}>
        <ul class="body named" {...untranslated}>
          {data.ids.map((id) => (
            <li key={id}>
              <A href={`/console/projects/${id}`}>{id}</A>
            </li>
          ))}
        </ul>
        {data.ids.length === 0 && <p class="body soft">{texts.noOwn}</p>}
      </Panel>
    </ConsolePage>
  );
});
