import { useEffect, useState } from "preact/hooks";
import { Icon } from "../components/Icon.tsx";

/**
 * The result of the last form. Screen readers announce changes only, so the text enters the live
 * region after the page has loaded.
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
