import { menuOf } from "../../lib/console/page/places.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { withWho } from "../../lib/console/page/who.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";

interface CrumbProps {
  readonly view: AccountView;
  readonly place: string;
  readonly title: string;
  /** The page that this one belongs to, if that is not the place; its text is that of the place. */
  readonly up?: { readonly href: string; readonly text?: string };
}

/** The place of the menu that a page belongs to, before its title; nothing on the place itself. */
export function Crumb({ view, place, title, up }: CrumbProps) {
  const { catalog: { menu }, path: here, user } = view;
  const { use, admin } = menuOf(user.role);
  const of = [...use, ...admin].find(({ name }) => name === place);
  const text = up?.text ?? (of && menu.places[of.name]);
  const href = up?.href ?? (of && withWho(of.path, here));
  if (href === undefined || text === title || (!up && isAt(here, href))) return null;
  return (
    <A class="crumb" href={href} data-key-escape={up && ""}>
      <span {...untranslated}>{text}</span>
      <Icon name="chevron-right" small />
    </A>
  );
}

function isAt(here: string, path: string): boolean {
  return here.split("?")[0] === path.split("?")[0];
}
