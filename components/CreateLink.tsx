import type { ComponentChildren } from "preact";
import { A } from "./A.tsx";
import { Icon } from "./Icon.tsx";

/** The primary action of a list's page, which the key C runs. */
export function CreateLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <A class="button primary" href={href} data-create>
      <Icon name="plus" />
      {children}
    </A>
  );
}
