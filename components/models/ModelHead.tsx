import type { Availability, ModelPageData } from "../../lib/console/models/model_page.ts";
import { setPricePath } from "../../lib/console/models/model_path.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { Status, type StatusTone } from "../States.tsx";
import { untranslated } from "../untranslated.ts";

const toneOf = { available: "ok", out: "bad", unserved: "off" } as const satisfies Record<
  Availability,
  StatusTone
>;

/** The state and facts of a model, and its actions. */
export function ModelHead({ view, data }: { view: AccountView; data: ModelPageData }) {
  const { modelPage: texts, copy } = view.catalog;
  const { row: { id }, availability, managed } = data;
  return (
    <div class="state-line">
      <Status tone={toneOf[availability]}>{texts[availability]}</Status>
      <p>
        {availability === "available"
          ? factsOf(view, data)
          : availability === "out"
          ? texts.outText
          : texts.unservedText}
        <CopyButton text={id} label={texts.copyName} texts={copy} />
      </p>
      <div class="actions">
        {managed && managed.row.source !== "declared" && (
          <A class="button" href={setPricePath(id)}>
            <Icon name="tags" small />
            {texts.setPrice}
          </A>
        )}
        {availability !== "unserved" && (
          <A
            class="button primary"
            href={`/console/playground?${new URLSearchParams({ model: id })}`}
          >
            <Icon name="message-square" small />
            {texts.tryIt}
          </A>
        )}
      </div>
    </div>
  );
}

function factsOf({ catalog, formats }: AccountView, { row }: ModelPageData) {
  const { modelPage: texts, modelList } = catalog;
  const { id, displayName, vendor, aliases, contextWindow, maxOutputTokens, capabilities } = row;
  const facts = [
    displayName !== id && displayName,
    vendor,
    contextWindow !== undefined && texts.context(formats.short(contextWindow)),
    maxOutputTokens !== undefined && texts.maxOutput(formats.short(maxOutputTokens)),
    formats.list(capabilities.map((one) => modelList.capabilities[one])),
    aliases.length > 0 && texts.aliases(formats.list(aliases)),
  ];
  return <span {...untranslated}>{facts.filter(Boolean).join(" · ")}</span>;
}
