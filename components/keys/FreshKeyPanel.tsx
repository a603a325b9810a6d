import type { FreshKeyFacts } from "../../lib/console/connect/fresh_key.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { FreshKey } from "./FreshKey.tsx";
import { SecretPanel } from "./SecretPanel.tsx";

/** A new secret, shown only once, with client settings and the connection check. */
export function FreshKeyPanel(
  { view, title, secret, fresh, origin }: {
    view: AccountView;
    title: string;
    secret: string;
    fresh: FreshKeyFacts | undefined;
    origin: string;
  },
) {
  const { catalog: { secret: texts, copy, welcome } } = view;
  return (
    <Panel id="created" title={title} class="fresh-panel" focused>
      <div class="body fields">
        <SecretPanel secret={secret} texts={texts} copyTexts={copy} />
        {fresh?.model !== undefined && (
          <>
            <h3>{welcome.call}</h3>
            <FreshKey view={view} origin={origin} secret={secret} {...fresh} model={fresh.model} />
          </>
        )}
        <div class="actions">
          <A class="button" href="/console/token">{texts.stored}</A>
        </div>
      </div>
    </Panel>
  );
}
