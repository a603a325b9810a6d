import { useEffect, useState } from "preact/hooks";
import { type CheckView, Findings } from "../components/Findings.tsx";
import { Icon } from "../components/Icon.tsx";
import type { CopyTexts } from "./CopyButton.tsx";

export type LiveCheckTexts = Readonly<
  Record<
    "waiting" | "text" | "connected" | "wait" | "stopped" | "again" | "copyUrl" | "test",
    string
  >
>;

export interface LiveCheckProps {
  /** Where the events come from. */
  readonly events: string;
  /** The page that looks again, for who has no script. */
  readonly look: string;
  readonly view: CheckView;
  readonly texts: LiveCheckTexts;
  readonly copy: CopyTexts;
  /** What a test call is asked with; absent where the page asks by itself. */
  readonly test?: Readonly<Record<string, string>>;
}

const listensMs = 15 * 60_000;

/** Listens for calls with a key and says what arrived. Without a script its link looks again. */
export default function LiveCheck({ events, look, view, texts, copy, test }: LiveCheckProps) {
  const [seen, see] = useState(view);
  const [phase, go] = useState<"still" | "live" | "over">("still");
  useEffect(() => {
    if (phase === "over") return;
    const source = new EventSource(events);
    source.onmessage = ({ data }) => see(JSON.parse(data));
    source.onopen = () => go("live");
    source.onerror = () => source.readyState === EventSource.CLOSED && go("over"); // it gave up
    const timer = setTimeout(() => go("over"), listensMs);
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [phase === "over"]);
  return (
    <div class={`check${seen.connected ? " connected" : ""}`} data-phase={phase}>
      <div role="status">
        <p class="state">
          <Icon name={seen.connected ? "circle-check" : "circle"} />
          <b>
            {seen.connected ? texts.connected : phase === "over" ? texts.stopped : texts.waiting}
          </b>
        </p>
        {seen.findings.length > 0
          ? <Findings findings={seen.findings} copy={copy} copyLabel={texts.copyUrl} />
          : <p class="soft">{texts.text}</p>}
      </div>
      <div class="actions">
        {phase === "still" && <a class="button" href={look} aria-current="false">{texts.wait}</a>}
        {phase === "over" && (
          <button class="button" type="button" onClick={() => go("still")}>{texts.again}</button>
        )}
        {test && <TestCall fields={test} text={texts.test} />}
      </div>
    </div>
  );
}

const path = "/console/connect/check";

/** With a script the page stays as it is, and hears of the call like of any other. */
function TestCall({ fields, text }: { fields: Readonly<Record<string, string>>; text: string }) {
  const [sending, send] = useState(false);
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    if (sending) return;
    send(true);
    await fetch(path, { method: "POST", body: new URLSearchParams(fields) }).catch(() => {});
    send(false);
  };
  return (
    <form method="post" action={path} onSubmit={onSubmit}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="button" type="submit" aria-disabled={sending ? "true" : undefined}>
        {text}
      </button>
    </form>
  );
}
