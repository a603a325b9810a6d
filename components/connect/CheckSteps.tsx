import type { CheckStep } from "../../lib/console/connect/check_steps.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { Status, type StatusTone } from "../States.tsx";
import { Findings } from "./Findings.tsx";

const tones = { passed: "ok", failed: "bad", skipped: "off" } as const satisfies Record<
  CheckStep["state"],
  StatusTone
>;

/** The steps of the connection check. */
export function CheckSteps(
  { view, steps }: { view: AccountView; steps: readonly CheckStep[] },
) {
  const { catalog: { check, connect, copy }, formats } = view;
  return (
    <Panel id="steps" title={check.steps} focused>
      <ol class="body check-steps">
        {steps.map(({ title, state, tookMs, text, findings }) => (
          <li key={title}>
            <h3>
              {title}
              <Status tone={tones[state]}>{check[state]}</Status>
              {tookMs !== undefined && <span class="took">{formats.span(tookMs)}</span>}
            </h3>
            {text !== "" && <p class="soft">{text}</p>}
            {findings.length > 0 && (
              <Findings findings={findings} copy={copy} copyLabel={connect.copyUrl} />
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
