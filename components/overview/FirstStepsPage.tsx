import type { ComponentChildren, ComponentProps } from "preact";
import { BarePage } from "../layout/BarePage.tsx";
import { FirstSteps } from "./FirstSteps.tsx";

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
