import type { View } from "../../lib/console/page/view.ts";

/** The contact for help; nothing if the settings name none. */
export function Contact({ view: { catalog, settings: { contact } } }: { view: View }) {
  return contact === "" ? null : <p class="soft">{catalog.settings.contact(contact)}</p>;
}
