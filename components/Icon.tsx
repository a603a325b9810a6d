import { asset } from "fresh/runtime";

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

/**
 * The icons in use, by their Lucide names. `tools/assets.ts` builds `static/icons.svg` from them.
 */
export const iconNames = [
  "arrow-down",
  "arrow-left",
  "arrow-right",
  "arrow-up",
  "ban",
  "book-open",
  "check",
  "chevron-right",
  "chevrons-up-down",
  "circle",
  "circle-alert",
  "circle-check",
  "circle-slash",
  "circle-x",
  "code",
  "columns-2",
  "copy",
  "download",
  "ellipsis",
  "eye",
  "eye-off",
  "file-clock",
  "fingerprint",
  "key-round",
  "layers",
  "layout-dashboard",
  "link",
  "log-out",
  "megaphone",
  "message-square",
  "paperclip",
  "pencil",
  "plus",
  "power",
  "refresh-cw",
  "scroll-text",
  "search",
  "server",
  "settings",
  "sliders-horizontal",
  "square",
  "tags",
  "ticket",
  "trash-2",
  "triangle-alert",
  "user-round",
  "users",
  "wallet",
  "wrench",
  "x",
] as const;
export type IconName = typeof iconNames[number];
