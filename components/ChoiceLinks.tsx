import { A } from "./A.tsx";
import { untranslated } from "./untranslated.ts";

interface ChoiceLinksProps<Choice extends string> {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  readonly hrefOf: (choice: Choice) => string;
  /** Absent for names, which are the same in every language. */
  readonly texts?: Readonly<Record<Choice, string>>;
}

/** Links to the views of a page, one of which is shown: such as the measures of a chart. */
export function ChoiceLinks<Choice extends string>(props: ChoiceLinksProps<Choice>) {
  const { label, choices, chosen, hrefOf, texts } = props;
  return (
    <nav class="choice-links" aria-label={label} {...texts ? {} : untranslated}>
      {choices.map((choice) => (
        <A key={choice} href={hrefOf(choice)} current={choice === chosen}>
          {texts?.[choice] ?? choice}
        </A>
      ))}
    </nav>
  );
}
