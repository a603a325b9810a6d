import type { PageProps } from "fresh";
import type { ComponentProps } from "preact";
import { type AccountView, accountView } from "../../lib/console/page/view.ts";
import type { AccountState } from "../../lib/console/session/state.ts";
import { Question, type QuestionProps } from "../Question.tsx";
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
