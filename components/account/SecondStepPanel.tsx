import type { AccountPageData } from "../../lib/console/account/account_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";

/** Whether a code is asked for after the password, and what can be done about it. */
export function SecondStepPanel({ view, data }: { view: AccountView; data: AccountPageData }) {
  const { catalog: { security: { secondStep: texts } }, formats } = view;
  const { totp } = data;
  const path = "/console/account/totp";
  return (
    <Panel
      id="second-step"
      title={texts.title}
      end={<Status tone={totp ? "ok" : "off"}>{totp ? texts.on : texts.off}</Status>}
    >
      <div class="body fields">
        <p class="soft">{texts.text}</p>
        {totp && (
          <p class="hint">
            {texts.since(formats.day(totp.createdAtMs))}{" "}
            {texts.codesLeft(totp.recoveryDigests.length)}
          </p>
        )}
        <div class="actions start">
          {totp
            ? (
              <>
                <a class="button" href={`${path}/codes`} aria-current="false">{texts.renew}</a>
                <a class="button" href={`${path}/delete`} aria-current="false">{texts.turnOff}</a>
              </>
            )
            : <a class="button" href={path} aria-current="false">{texts.turnOn}</a>}
        </div>
      </div>
    </Panel>
  );
}
