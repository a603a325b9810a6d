import type { ModelMeasure } from "../../lib/console/models/model_measures.ts";
import { modelSpendDays } from "../../lib/console/models/model_measures.ts";
import type { ModelRow } from "../../lib/console/models/model_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

/** The facts of a model, and its measurements on this gateway. */
export function ModelFacts(
  { view, row, measure = {} }: { view: AccountView; row: ModelRow; measure?: ModelMeasure },
) {
  const { catalog: { modelList: texts, spend }, formats, locale } = view;
  const { firstByteMs, tokensPerSecond, successShare, spentNanoUsd } = measure;
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const facts: readonly (readonly [string, string | false | undefined])[] = [
    [texts.vendor, row.vendor],
    [texts.aliases, row.aliases.join(", ")],
    [texts.context, row.contextWindow !== undefined && formats.count(row.contextWindow)],
    [texts.longest, row.maxOutputTokens !== undefined && formats.count(row.maxOutputTokens)],
    [texts.does, formats.list(row.capabilities.map((one) => texts.capabilities[one]))],
    [texts.measured, successShare !== undefined && texts.success(percent.format(successShare))],
    [spend.firstByte, firstByteMs !== undefined && formats.span(firstByteMs)],
    [
      texts.speedName,
      tokensPerSecond !== undefined && texts.speed(formats.count(Math.round(tokensPerSecond))),
    ],
    [texts.spent(modelSpendDays), spentNanoUsd !== undefined && formats.money(spentNanoUsd)],
  ];
  const known = facts.filter(([, text]) => text);
  if (known.length === 0) return null;
  return (
    <Panel id="facts" title={texts.facts}>
      <Facts class="body">
        {known.map(([name, text]) => <Fact key={name} name={name} {...untranslated}>{text}</Fact>)}
      </Facts>
    </Panel>
  );
}
