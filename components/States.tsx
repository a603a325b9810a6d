import type { ComponentChildren } from "preact";
import { A } from "./A.tsx";
import { Icon } from "./Icon.tsx";
import type { IconName } from "./icon_names.ts";

/** Why a panel shows nothing, and what to do next. */
export function Empty(
  { icon, title, text, heading: Heading = "h3", children }: {
    icon: IconName;
    title: string;
    text?: string;
    /** One level below the heading that it stands under. */
    heading?: "h2" | "h3";
    children?: ComponentChildren;
  },
) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <Heading>{title}</Heading>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}

/** Why a panel could not be loaded; the page that it stands on is tried again. */
export function Failed({ title, retry, path }: { title: string; retry: string; path: string }) {
  return (
    <Empty icon="triangle-alert" title={title}>
      <A class="button" href={path}>{retry}</A>
    </Empty>
  );
}

export type StatusTone = "ok" | "warn" | "bad" | "off";

const toneIcons = {
  ok: "circle-check",
  warn: "triangle-alert",
  bad: "circle-x",
  off: "circle-slash",
} as const satisfies Record<StatusTone, IconName>;

/** A state: an icon and a word, never colour alone. */
export function Status({ tone, children }: { tone: StatusTone; children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <Icon name={toneIcons[tone]} small />
      {children}
    </span>
  );
}

export function toneIcon(tone: StatusTone): IconName {
  return toneIcons[tone];
}
