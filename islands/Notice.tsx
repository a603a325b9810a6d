import { useEffect, useState } from "preact/hooks";
import { Icon } from "../components/Icon.tsx";

/**
 * What came of the form before. Readers announce only what changes, so the words go into the live
 * region once the page is there.
 */
export default function Notice({ text }: { text: string }) {
  const [announced, announce] = useState("");
  useEffect(() => announce(text), [text]);
  return (
    <div class="notice">
      <Icon name="circle-check" />
      <p aria-hidden={announced === "" ? undefined : "true"}>{text}</p>
      <span class="unseen" role="status">{announced}</span>
    </div>
  );
}
