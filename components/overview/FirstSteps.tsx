import type { ComponentChildren } from "preact";
import {
  firstSteps,
  type StepName,
  type StepsDone,
} from "../../lib/console/overview/first_steps.ts";
import type { View } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

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
