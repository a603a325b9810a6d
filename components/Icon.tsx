import { asset } from "fresh/runtime";
import type { IconName } from "./icon_names.ts";

/** An icon of the sprite. Hidden from screen readers, because it repeats the text beside it. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg class={small ? "icon small" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`${asset("/icons.svg")}#${name}`} />
    </svg>
  );
}
