import type { ComponentChildren } from "preact";
import {
  type BoundSection,
  boundSections,
  type ShownBound,
} from "../../lib/console/bounds/bound_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { EffectiveBounds } from "../../lib/ledger/mod.ts";
import { A } from "../A.tsx";
import { limitColor, Meter } from "../chart/TinyCharts.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";

interface LimitsInForceProps {
  readonly view: AccountView;
  /** Undefined if they could not be read. */
  readonly bounds: EffectiveBounds | undefined;
  readonly end?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The limits in force: each owner with its budgets, limits, balance and models, and their use. */
export function LimitsInForce({ view, bounds, end, children }: LimitsInForceProps) {
  const { bounds: texts } = view.catalog;
  const sections = bounds && boundSections(bounds, view);
  return (
    <Panel id="limits-in-force" title={texts.title} end={end}>
      {children}
      {sections === undefined && <p class="body soft">{texts.failed}</p>}
      {sections?.length === 0 && <p class="body soft">{texts.none}</p>}
      {sections?.map((section) => <Section key={section.name} section={section} view={view} />)}
    </Panel>
  );
}

function Section({ section: { name, href, bounds, models }, view }: {
  section: BoundSection;
  view: AccountView;
}) {
  return (
    <section class="body bound-owner" aria-label={name}>
      <h3>{href ? <A href={href}>{name}</A> : name}</h3>
      {bounds.length > 0 && (
        <ul class="meters">{bounds.map((bound) => <Bound key={bound.name} {...bound} />)}</ul>
      )}
      {models && (
        <p>
          {`${view.catalog.bounds.models}: `}
          <span {...untranslated}>{view.formats.list(models)}</span>
        </p>
      )}
    </section>
  );
}

function Bound({ name, amount, share, hint }: ShownBound) {
  return (
    <li>
      <h4>{name}</h4>
      <p>{amount}</p>
      {share !== undefined && <Meter share={share} color={limitColor(share)} />}
      {hint && <p class="hint">{hint}</p>}
    </li>
  );
}
