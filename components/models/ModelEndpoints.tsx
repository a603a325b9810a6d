import {
  type EndpointSnippet,
  endpointSnippets,
} from "../../lib/console/connect/endpoint_snippets.ts";
import type { ModelRow } from "../../lib/console/models/model_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { CopyButton } from "../CopyButton.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/**
 * A call of the model in each format that the account's groups allow, for the terminal and in two
 * languages.
 */
export function ModelEndpoints(
  { view, row, origin }: { view: AccountView; row: ModelRow; origin: string },
) {
  const { prices, units } = view.catalog;
  return (
    <Panel id="endpoints" title={prices.endpoints}>
      <div class="body urls">
        {row.formats.map((format) => {
          const [terminal, ...programs] = endpointSnippets(format, { origin, model: row.id });
          const name = units.formats[format];
          return (
            <div key={format}>
              <h3>{name}</h3>
              <Snippet view={view} name={name} snippet={terminal} />
              {programs.map((snippet) => (
                <details key={snippet.language} class="disclosure">
                  <summary {...untranslated}>{snippet.language}</summary>
                  <Snippet view={view} name={`${name}, ${snippet.language}`} snippet={snippet} />
                </details>
              ))}
            </div>
          );
        })}
      </div>
    </Panel>
  );
}

function Snippet(
  { view: { catalog: { prices, copy } }, name, snippet: { text } }: {
    view: AccountView;
    name: string;
    snippet: EndpointSnippet;
  },
) {
  return (
    <div class="snippet">
      <pre tabIndex={0} role="region" aria-label={name}>
        <code {...untranslated}>{text}</code>
      </pre>
      <CopyButton text={text} label={prices.copyCall(name)} texts={copy} />
    </div>
  );
}
