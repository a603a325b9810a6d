import { A } from "../A.tsx";
import { EmptyPanel } from "../Panel.tsx";

/** Replaces a secret that was shown before and cannot be shown again. */
export function ShownAlready(
  { title, text, back, path }: { title: string; text: string; back: string; path: string },
) {
  return (
    <EmptyPanel icon="eye-off" title={title} text={text}>
      <A class="button" href={path}>{back}</A>
    </EmptyPanel>
  );
}
