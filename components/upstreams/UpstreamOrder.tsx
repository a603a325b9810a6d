import type { AccountView } from "../../lib/console/page/view.ts";
import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { Icon } from "../Icon.tsx";

interface UpstreamOrderProps {
  readonly view: AccountView;
  readonly upstream: UpstreamRecord;
  /** The address of the current list, to return to. */
  readonly back: string;
}

/** Priority and weight, with a small form if the reader may change them. */
export function UpstreamOrder({ view, upstream, back }: UpstreamOrderProps) {
  const { upstreams, upstreamAdmin: texts } = view.catalog;
  const { id, priority, weight, origin } = upstream;
  const shown = `${priority} · ${weight}`;
  if (origin === "config") return <>{shown}</>;
  return (
    <details class="row-order">
      <summary aria-label={texts.orderOf(id, shown)}>
        {shown}
        <Icon name="pencil" small />
      </summary>
      <form method="post" action={`/console/admin/upstreams/${id}/order`}>
        <input type="hidden" name="back" value={back} />
        {(["priority", "weight"] as const).map((name) => (
          <label key={name}>
            <span>{upstreams[name]}</span>
            <input
              class="input"
              name={name}
              inputMode="numeric"
              autocomplete="off"
              value={upstream[name]}
            />
          </label>
        ))}
        <button class="button small" type="submit">{texts.saveOrder}</button>
        <button
          class="button small"
          type="submit"
          name="move"
          value="earlier"
          aria-label={texts.earlierOf(id)}
        >
          <Icon name="arrow-up" small />
          {texts.earlier}
        </button>
        <button
          class="button small"
          type="submit"
          name="move"
          value="later"
          aria-label={texts.laterOf(id)}
        >
          <Icon name="arrow-down" small />
          {texts.later}
        </button>
      </form>
    </details>
  );
}
