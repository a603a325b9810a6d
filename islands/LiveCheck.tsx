import { useEffect, useState } from "preact/hooks";
import { A } from "../components/A.tsx";
import type { CopyTexts } from "../components/CopyButton.tsx";
import { Icon } from "../components/Icon.tsx";
import { type CheckView, Findings } from "../components/connect/Findings.tsx";
import type { IconName } from "../components/icon_names.ts";

/** The listening phase. A received call is shown in every phase. */
type Phase = "idle" | "waiting" | "timedOut";

export interface LiveCheckTexts
  extends Readonly<Record<Phase, { readonly title: string; readonly text: string }>> {
  readonly received: string;
  readonly look: string;
  readonly listen: string;
  readonly copyUrl: string;
  readonly test: string;
}

export interface LiveCheckProps {
  /** The address of the server-sent events. */
  readonly events: string;
  /** The page that checks again, for browsers without a script. */
  readonly look: string;
  readonly view: CheckView;
  /** Set if the page reloads itself until a call arrives, for browsers without a script. */
  readonly begun: boolean;
  readonly texts: LiveCheckTexts;
  readonly copy: CopyTexts;
  /** The fields of the test call; absent if the page makes test calls another way. */
  readonly test?: Readonly<Record<string, string>>;
}

const listensMs = 15 * 60_000;
const phaseIcons = {
  idle: "circle",
  waiting: "circle",
  timedOut: "circle-slash",
} as const satisfies Record<Phase, IconName>;

/** Waits for calls with a key and shows them. Without a script, its link checks again. */
export default function LiveCheck(
  { events, look, view, begun, texts, copy, test }: LiveCheckProps,
) {
  const [seen, see] = useState(view);
  const [phase, go] = useState<Phase>(begun ? "waiting" : "idle");
  const [scripted, run] = useState(false);
  const isOver = phase === "timedOut";
  useEffect(() => {
    if (isOver) return;
    run(true);
    const source = new EventSource(events);
    source.onmessage = ({ data }) => see(JSON.parse(data));
    source.onopen = () => go("waiting");
    source.onerror = () => source.readyState === EventSource.CLOSED && go("timedOut"); // no more reconnects
    const timer = setTimeout(() => go("timedOut"), listensMs);
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [isOver]);
  const { title, text } = texts[phase];
  return (
    <div
      class={`check ${seen.connected ? "connected" : phase}`}
      data-phase={scripted ? phase : "still"}
    >
      <div role="status">
        <p class="state">
          <Icon name={seen.connected ? "circle-check" : phaseIcons[phase]} />
          <b>{seen.connected ? texts.received : title}</b>
        </p>
        {seen.findings.length > 0
          ? <Findings findings={seen.findings} copy={copy} copyLabel={texts.copyUrl} />
          : <p class="soft">{text}</p>}
      </div>
      <div class="actions">
        {!scripted && <A class="button" href={look}>{texts.look}</A>}
        {isOver && (
          <button class="button" type="button" onClick={() => go("idle")}>{texts.listen}</button>
        )}
        {test && <TestCall fields={test} text={texts.test} />}
      </div>
    </div>
  );
}

const path = "/console/connect/check";

/** With a script the page stays, and the test call arrives like any other. */
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
