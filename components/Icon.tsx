import { asset } from "fresh/runtime";
import type { IconName } from "./icon_names.ts";

/** The address of the sprite is made once and not for every icon: a list has hundreds. */
const kept: { sprite?: string } = {};

/** An icon of the sprite. Hidden from screen readers, because it repeats the text beside it. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg class={small ? "icon small" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`${kept.sprite ??= asset("/icons.svg")}#${name}`} />
    </svg>
  );
}
