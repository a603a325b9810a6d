import { useEffect, useState } from "preact/hooks";
import { A } from "../components/A.tsx";

export interface LiveCallsProps {
  /** The current page, to reload. */
  readonly href: string;
  /** Server-sent events with the number of calls that ended since the page loaded. */
  readonly feed: string;
  readonly texts: Readonly<Record<"newer" | "one" | "many" | "on", string>>;
}

/**
 * Announces new calls without inserting them. It listens while the page is visible; without a
 * script it is a link.
 */
export default function LiveCalls({ href, feed, texts }: LiveCallsProps) {
  const [count, setCount] = useState("");
  useEffect(() => {
    let source: EventSource | undefined;
    const follow = () => {
      source?.close();
      source = undefined;
      if (document.hidden) return;
      source = new EventSource(feed);
      source.onmessage = ({ data }) => setCount(data);
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      source?.close();
    };
  }, [feed]);
  const said = count === "" ? "" : `${count} ${count === "1" ? texts.one : texts.many}`;
  return (
    <>
      <A class="button small" href={href} title={texts.on}>{said || texts.newer}</A>
      <span class="unseen" role="status">{said}</span>
    </>
  );
}
