import CopyButton from "../islands/CopyButton.tsx";
import { curlSnippet } from "../lib/console/client_snippets.ts";
import type { ModelRow } from "../lib/console/model_rows.ts";
import type { AccountView } from "../lib/console/view.ts";
import { untranslated } from "./untranslated.ts";

/** A call of the model in each format that the account's groups admit. */
export function ModelEndpoints(
  { view, row, origin }: { view: AccountView; row: ModelRow; origin: string },
) {
  const { catalog: { prices, units, copy } } = view;
  return (
    <section class="panel" aria-labelledby="endpoints">
      <header>
        <h2 id="endpoints">{prices.endpoints}</h2>
      </header>
      <div class="body urls">
        {row.formats.map((format) => {
          const snippet = curlSnippet(origin, format, { model: row.id });
          const name = units.formats[format];
          return (
            <div key={format}>
              <h3>{name}</h3>
              <div class="snippet">
                <pre tabIndex={0} role="region" aria-label={name}>
                  <code {...untranslated}>{snippet}</code>
                </pre>
                <CopyButton text={snippet} label={prices.copyCall(name)} texts={copy} />
              </div>
            </div>
          );
        })}
      </div>
    </section>
  );
}
