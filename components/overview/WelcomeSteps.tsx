import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

const steps = ["stepAccount", "stepProvider", "stepCall"] as const;

/**
 * Progress through the first steps. The style sheet shows the current one as done once the page has
 * received a call.
 */
export function WelcomeSteps({ view, at }: { view: AccountView; at: typeof steps[number] }) {
  const { welcome, overview } = view.catalog;
  const now = steps.indexOf(at);
  return (
    <nav class="welcome-steps" aria-label={welcome.steps}>
      <ol>
        {steps.map((step, index) => (
          <li key={step} aria-current={step === at ? "step" : undefined}>
            {index >= now && <Icon name="circle" small />}
            {index <= now && <Icon name="circle-check" small />}
            {welcome[step]}
            {index <= now && <span class="unseen done">{`: ${overview.done}`}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
