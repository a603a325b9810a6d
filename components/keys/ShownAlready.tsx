import { A } from "../A.tsx";
import { EmptyPanel } from "../Panel.tsx";

/** Stands where a secret was shown that is shown only once. */
export function ShownAlready(
  { title, text, back, path }: { title: string; text: string; back: string; path: string },
) {
  return (
    <EmptyPanel icon="eye-off" title={title} text={text}>
      <A class="button" href={path}>{back}</A>
    </EmptyPanel>
  );
}
