import { modelExamples } from "../../lib/console/connect/model_examples.ts";
import { modelPath } from "../../lib/console/models/model_list.ts";
import type { ModelPageData } from "../../lib/console/models/model_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { highlight } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Panel } from "../Panel.tsx";
import { SnippetTabs } from "../Snippet.tsx";

interface CodeExamplesProps {
  readonly view: AccountView;
  readonly origin: string;
  readonly data: ModelPageData;
}

/** Calls of a model as tabs of one block, in one of the formats that its groups allow. */
export function CodeExamples(props: CodeExamplesProps) {
  const { view, origin, data: { row, format } } = props;
  const { modelPage: texts, prices, copy } = view.catalog;
  const { id: model, formats } = row;
  const examples = modelExamples({ origin, model }, { format, formats });
  return (
    <Panel
      id="examples"
      title={prices.endpoints}
      end={examples.length > 1 && <Formats {...props} />}
    >
      {examples.length === 0 ? <p class="hint below">{texts.noExample}</p> : (
        <div class="body">
          <SnippetTabs
            id="example"
            label={prices.endpoints}
            tabs={examples.map(({ name, language, text }) => ({
              name,
              text,
              html: highlight(text, language),
            }))}
            copy={texts.copyExample}
            texts={copy}
          />
          <p class="hint code-note">
            {texts.keyNote} <A class="link" href="/console/token/new">{texts.createKey}</A>{" "}
            <A class="link" href={`/console/connect?${new URLSearchParams({ model })}`}>
              {texts.moreClients}
            </A>
          </p>
        </div>
      )}
    </Panel>
  );
}

/** The formats of the calls; the first is shown if the address names none. */
function Formats({ view, data }: CodeExamplesProps) {
  const { modelPage: texts, units } = view.catalog;
  const { row, format } = data;
  if (row.formats.length < 2) return null;
  return (
    <ChoiceLinks
      label={texts.format}
      choices={row.formats}
      chosen={format}
      hrefOf={(one) => `${modelPath(row.id, { format: one })}#examples`}
      texts={units.formats}
    />
  );
}
