import { type ClientId, clients } from "../../lib/console/connect/clients.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/** The most common clients; the page itself lists all. */
const usual: readonly ClientId[] = [
  "claude-code",
  "codex",
  "gemini-cli",
  "opencode",
  "cursor",
  "cline",
  "openai-python",
  "curl",
];

/** Links to the settings of common clients. */
export function ClientLinks({ view: { catalog: { connect } } }: { view: AccountView }) {
  return (
    <Panel
      id="clients"
      title={connect.title}
      end={
        <A class="link" href="/console/connect">
          {connect.all}
          <Icon name="arrow-right" small />
        </A>
      }
    >
      <nav class="client-links" aria-label={connect.clients}>
        {usual.map((id) => (
          <A key={id} href={`/console/connect?client=${id}`} {...untranslated}>
            {clients[id].name}
          </A>
        ))}
      </nav>
    </Panel>
  );
}
