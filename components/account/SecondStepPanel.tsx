import type { AccountPageData } from "../../lib/console/account/account_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";

/** The state of two-factor sign-in, and the buttons that change it. */
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
                <A class="button" href={`${path}/codes`}>{texts.renew}</A>
                <A class="button" href={`${path}/delete`}>{texts.turnOff}</A>
              </>
            )
            : <A class="button" href={path}>{texts.turnOn}</A>}
        </div>
      </div>
    </Panel>
  );
}
