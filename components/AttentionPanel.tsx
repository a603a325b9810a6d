import { type AttentionItem, attentionLine } from "../lib/console/attention.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";
import { toneIcon } from "./States.tsx";
import { Time } from "./Time.tsx";
import { untranslated } from "./untranslated.ts";

/** What runs low, each with what there is to do about it. */
export function AttentionPanel(
  { view, items }: { view: AccountView; items: readonly AttentionItem[] | undefined },
) {
  const { attention } = view.catalog;
  return (
    <section class="panel" aria-labelledby="attention">
      <header>
        <h2 id="attention">{attention.title}</h2>
      </header>
      {items === undefined
        ? <p class="body soft">{attention.failed}</p>
        : items.length === 0
        ? <Calm view={view} />
        : (
          <ul class="attention">
            {items.map((item) => <Line key={item.alert.id} view={view} item={item} />)}
          </ul>
        )}
    </section>
  );
}

function Calm({ view: { catalog: { attention } } }: { view: AccountView }) {
  return (
    <div class="body calm">
      <Icon name="circle-check" />
      <p>{attention.calm}</p>
      <p>{attention.calmText}</p>
    </div>
  );
}

function Line({ view, item }: { view: AccountView; item: AttentionItem }) {
  const { tone, before, name, after, href, amounts, resetsAtMs, delivery } = attentionLine(
    item,
    view,
  );
  return (
    <li class={tone}>
      <Icon name={toneIcon(tone)} />
      <p>
        {before}
        {href ? <a href={href} {...untranslated}>{name}</a> : <b {...untranslated}>{name}</b>}
        {after}
      </p>
      {amounts && (
        <p>
          {amounts}
          {resetsAtMs !== undefined && <Resets view={view} atMs={resetsAtMs} />}
        </p>
      )}
      {delivery && <p>{delivery}</p>}
    </li>
  );
}

/** The sentence is translated as a whole, so the time element goes where its text stands. */
function Resets(
  { view: { catalog: { attention }, formats }, atMs }: { view: AccountView; atMs: number },
) {
  const [before, after] = attention.resets("\0").split("\0");
  return (
    <>
      {" · "}
      {before}
      <Time atMs={atMs} formats={formats} as="day" />
      {after}
    </>
  );
}
