import { stepsFields, stepsPath } from "../../lib/console/overview/first_steps.ts";
import type { StepsData } from "../../lib/console/overview/first_steps_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { FreshKey } from "../keys/FreshKey.tsx";
import { SecretPanel } from "../keys/SecretPanel.tsx";

interface FirstCallStepProps {
  readonly view: AccountView;
  readonly origin: string;
  readonly data: StepsData;
}

/** The key, a first call with it, and the check that sees it. */
export function FirstCallStep(props: FirstCallStepProps) {
  const { view: { catalog: { welcome, secret: texts, copy, secretReady, models } }, data } = props;
  const { secret, fresh } = data;
  return (
    <>
      <h3>{fresh ? secretReady(fresh.apiKey.name) : welcome.makeKey}</h3>
      {secret
        ? <SecretPanel secret={secret} texts={texts} copyTexts={copy} />
        : <KeyForm {...props} />}
      {fresh && fresh.model === undefined && <p class="soft">{models.emptyText}</p>}
      {fresh?.model !== undefined && <Call {...props} fresh={fresh} model={fresh.model} />}
    </>
  );
}

function KeyForm({ view: { catalog: { welcome } }, data }: FirstCallStepProps) {
  const { query, fresh, isPrinted } = data;
  return (
    <form class="fields" method="post" action={stepsPath(query)}>
      <p class="soft">
        {!fresh ? welcome.noKeys : isPrinted ? welcome.printed : welcome.noSecret}
      </p>
      <div>
        <button class="button" type="submit" name="intent" value="key">
          {fresh ? welcome.makeAnother : welcome.makeKey}
        </button>
      </div>
    </form>
  );
}

function Call(
  { view, origin, data: { query, secret, seen }, fresh, model }: FirstCallStepProps & {
    readonly fresh: NonNullable<StepsData["fresh"]>;
    readonly model: string;
  },
) {
  const { sinceMs = fresh.sinceMs } = query;
  const waiting = { ...query, sinceMs };
  const live = {
    seen,
    look: stepsPath(waiting),
    looking: query.sinceMs !== undefined,
    fields: { from: "welcome", ...stepsFields(waiting) },
  };
  const facts = { ...fresh, sinceMs, model, secret };
  return <FreshKey view={view} origin={origin} {...facts} live={live} />;
}
