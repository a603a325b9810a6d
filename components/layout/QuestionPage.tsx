import type { PageProps } from "fresh";
import type { ComponentChildren, ComponentProps } from "preact";
import { type AccountView, accountView } from "../../lib/console/page/view.ts";
import type { AccountState } from "../../lib/console/session/state.ts";
import { A } from "../A.tsx";
import { ConsolePage } from "./ConsolePage.tsx";

/** The data of a page that only asks for confirmation. */
export interface QuestionData extends QuestionProps {
  readonly page: string;
  readonly place: ComponentProps<typeof ConsolePage>["place"];
  /** A second paragraph. */
  readonly more?: string;
}

/** A page that only asks for confirmation. */
export function QuestionPage(
  { data: { page, place, more, ...question }, state, url }: PageProps<QuestionData, AccountState>,
) {
  return (
    <ConsolePage view={accountView(state, url)} title={page} place={place}>
      <Question {...question}>{more && <p>{more}</p>}</Question>
    </ConsolePage>
  );
}

/** The question about a change to the reader's own account. */
export function accountQuestion(
  { security: { title, cancel } }: AccountView["catalog"],
  question: Pick<QuestionData, "title" | "text" | "confirm">,
): QuestionData {
  const about = { page: title, place: "account", id: "question", isWide: true } as const;
  return { ...about, back: "/console/account", cancel, ...question };
}

interface QuestionProps {
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
