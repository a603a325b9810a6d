import type { View } from "../../lib/console/page/view.ts";

/** Whom to ask where somebody cannot go on alone; nothing where the settings name nobody. */
export function Contact({ view: { catalog, settings: { contact } } }: { view: View }) {
  return contact === "" ? null : <p class="soft">{catalog.settings.contact(contact)}</p>;
}
