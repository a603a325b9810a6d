import type { ComponentChildren, ComponentProps } from "preact";
import { A } from "./A.tsx";

export interface QuestionProps {
  /** The id of the heading. */
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  /** The page to return to without a change. */
  readonly back: string;
  readonly cancel: string;
  /** The label of the button; absent if the change is impossible. */
  readonly confirm?: string | false;
  readonly tone?: "danger" | "primary";
  /** The field that the button posts. */
  readonly field?: { readonly name: string; readonly value: string };
  readonly isWide?: boolean;
}

/** Asks for confirmation of a change. The form posts to the page's own address unless it has an `action`. */
export function Question(
  { id, title, text, back, cancel, confirm, tone = "danger", field, isWide, children, ...form }:
    & QuestionProps
    & Pick<ComponentProps<"form">, "action" | "class" | "noValidate">
    & { children?: ComponentChildren },
) {
  return (
    <section class={isWide ? "card wide" : "card"} aria-labelledby={id}>
      <form class="inside" method="post" {...form}>
        <h2 id={id}>{title}</h2>
        {text && <p>{text}</p>}
        {children}
        <div class="actions">
          <A class="button" href={back}>{cancel}</A>
          {confirm && <button class={`button ${tone}`} type="submit" {...field}>{confirm}</button>}
        </div>
      </form>
    </section>
  );
}
