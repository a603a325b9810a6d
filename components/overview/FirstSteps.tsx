import type { ComponentChildren, ComponentProps } from "preact";
import {
  firstSteps,
  type StepName,
  type StepsData,
  type StepsDone,
  stepsFields,
  stepsPath,
} from "../../lib/console/overview/first_steps.ts";
import type { AccountView, View } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { FreshKey } from "../keys/FreshKey.tsx";
import { SecretPanel } from "../keys/SecretPanel.tsx";
import { BarePage } from "../layout/BarePage.tsx";

interface FirstStepsPageProps extends ComponentProps<typeof FirstSteps> {
  readonly back: string;
  /** Above the steps. */
  readonly notices?: ComponentChildren;
  /** The way out, below the steps. */
  readonly end?: ComponentChildren;
}

/** The page from the set-up link to the first answered call. */
export function FirstStepsPage({ back, notices, end, ...steps }: FirstStepsPageProps) {
  const { title } = steps.view.catalog.welcome;
  return (
    <BarePage view={steps.view} title={title} back={back} wide>
      <div class="welcome">
        {notices}
        <h1>{title}</h1>
        <FirstSteps {...steps} />
        {end && <div class="actions">{end}</div>}
      </div>
    </BarePage>
  );
}

interface FirstStepsProps {
  readonly view: View;
  readonly done: StepsDone;
  /** The lines of steps that are done. The other steps say what they are for. */
  readonly lines: Readonly<Partial<Record<StepName, ComponentChildren>>>;
  /** The level of the steps' headings. */
  readonly heading?: "h2" | "h3";
  /** The content of the open step. */
  readonly children?: ComponentChildren;
}

/** The first steps in one column: those done in a line with a tick, one open, the rest quiet. */
export function FirstSteps(
  { view, done, lines, heading: Heading = "h2", children }: FirstStepsProps,
) {
  const { welcome, overview } = view.catalog;
  return (
    <ol class="first-steps">
      {firstSteps(done).map(({ name, state }, index) => (
        <li key={name} class={state} aria-current={state === "open" ? "step" : undefined}>
          <Mark number={index + 1} />
          <Heading>
            {welcome.steps[name]}
            {(state === "done" || (state === "open" && name === "call")) && (
              <span class="unseen ticked">{`: ${overview.done}`}</span>
            )}
          </Heading>
          <p class="soft">{state === "done" ? lines[name] : welcome.about[name]}</p>
          {state === "open" && children && <div class="fields">{children}</div>}
        </li>
      ))}
    </ol>
  );
}

/** The tick takes the place of the number, also when the live check of the step sees a call. */
function Mark({ number }: { number: number }) {
  return (
    <span class="mark" aria-hidden="true">
      <span>{number}</span>
      <Icon name="circle-check" />
    </span>
  );
}

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
