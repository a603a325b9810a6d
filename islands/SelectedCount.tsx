import { useEffect, useState } from "preact/hooks";

/** The number of selected rows after its label; the label alone without a script. */
export default function SelectedCount({ label, text }: { label: string; text: string }) {
  const [count, setCount] = useState<number>();
  useEffect(() => {
    const stop = new AbortController();
    const update = () => setCount(document.querySelectorAll(boxes).length);
    update();
    addEventListener("change", update, stop);
    addEventListener("reset", () => setTimeout(update), stop);
    return () => stop.abort();
  }, []);
  return <b class="some-chosen">{count === undefined ? text : `${label}${count}`}</b>;
}

const boxes = ".choose input:not([name=all]):checked";
