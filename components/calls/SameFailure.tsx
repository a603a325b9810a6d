import { logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { FailuresOfHour } from "../../lib/console/calls/same_failure.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { LogBars } from "./LogBars.tsx";

/** The number of equal failures within the hour around a call. */
export function SameFailure(
  { view, call, same }: { view: AccountView; call: RequestLogRow; same: FailuresOfHour },
) {
  const { catalog: { callFailure: failure, logPage }, formats, user } = view;
  const { fromMs, toMs, count, more, keys, firstMs, bars } = same;
  const calls = logPage.calls(`${formats.count(count)}${more ? "+" : ""}`);
  const search = {
    filter: { model: call.model, status: "failed", fromMs, toMs },
    ...(user.role === "administrator" && { who: "everyone" } as const),
  };
  return (
    <Panel
      id="same-failure"
      title={failure.same}
      end={
        <A class="link" href={logSearchPath(search)}>
          {failure.show}
          <Icon name="arrow-right" small />
        </A>
      }
    >
      <LogBars view={view} search={search} bars={bars} marks={2} />
      <p class="hint body">{failure.sameText(calls, keys, formats.hour(firstMs))}</p>
    </Panel>
  );
}
