import type { ComponentChildren } from "preact";

/** A chart without amounts: a sentence and a button in place of a scale. */
export function NoData({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="no-data">
      <p>{text}</p>
      {children}
    </div>
  );
}
