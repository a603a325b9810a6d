import type { Finding } from "../../lib/console/connect/findings.ts";
import { A } from "../A.tsx";
import { CopyButton, type CopyTexts } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";

export type { CheckView } from "../../lib/console/connect/findings.ts";

const icons = { ok: "circle-check", bad: "circle-x", note: "circle-alert" } as const;

/** The findings of a connection check, each with its remedy. */
export function Findings(
  { findings, copy, copyLabel }: {
    findings: readonly Finding[];
    copy: CopyTexts;
    copyLabel: string;
  },
) {
  return (
    <ul class="findings">
      {findings.map(({ id, tone, title, text, value, link, came }) => (
        <li key={id} class={tone}>
          <Icon name={icons[tone]} />
          <div>
            <b>{title}</b>
            <p>{text}</p>
            {value !== undefined && (
              <p class="copy-line">
                <code {...untranslated}>{value}</code>
                <CopyButton text={value} label={copyLabel} texts={copy} />
              </p>
            )}
            {link && <A class="link" href={link.href}>{link.text}</A>}
            {came !== undefined && <p class="hint">{came}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
