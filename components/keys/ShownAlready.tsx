import { Empty } from "../States.tsx";

/** Stands where a secret was shown that is shown only once. */
export function ShownAlready(
  { title, text, back, path }: { title: string; text: string; back: string; path: string },
) {
  return (
    <section class="panel">
      <Empty icon="eye-off" heading="h2" title={title} text={text}>
        <a class="button" href={path} aria-current="false">{back}</a>
      </Empty>
    </section>
  );
}
