import type { ComponentChildren } from "preact";
import type { Catalog } from "../lib/console/i18n/mod.ts";
import { withQuery } from "../lib/console/page/address.ts";
import type { AccountView } from "../lib/console/page/view.ts";
import { A } from "./A.tsx";
import { Icon } from "./Icon.tsx";
import type { IconName } from "./icon_names.ts";

/** An empty state: the reason, and the next step. */
export function Empty(
  { icon, title, text, heading: Heading = "h3", children }: {
    icon: IconName;
    title: string;
    text?: string;
    /** One level below the heading of the surrounding section. */
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

/** The panel could not be loaded: the time to look for in the server's log, and a retry. */
export function Failed(
  { view: { catalog: { lists }, formats, path }, title }: {
    view: Pick<AccountView, "catalog" | "formats" | "path">;
    title: string;
  },
) {
  return (
    <Empty icon="circle-x" title={title} text={lists.failedText(formats.utc(formats.nowMs))}>
      <A class="button" href={withQuery(path, { done: undefined })}>{lists.retry}</A>
    </Empty>
  );
}

/** No row matches the filters: the filter that hides most rows, and links that remove it or all. */
export function NoMatch(
  { lists, title, count, hiding, clear }: {
    lists: Catalog["lists"];
    /** Such as `No users match`. */
    title: string;
    /** The number of filters. */
    count: number;
    /** Absent if no filter hides all rows by itself. */
    hiding?: { readonly filter: string; readonly rows: string; readonly href: string };
    clear: string;
  },
) {
  const text = hiding ? lists.hides(hiding.filter, hiding.rows) : lists.noMatchText;
  return (
    <Empty icon="search" title={lists.noMatch(title, count)} text={text}>
      <div class="actions">
        {hiding && <A class="button" href={hiding.href}>{lists.without(hiding.filter)}</A>}
        <A class="button" href={clear}>{lists.clear}</A>
      </div>
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

/** A state as icon and word, never by colour alone. */
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

/** Below this share of successful calls, it is marked. */
const poorShare = 0.95;

/** The share of calls that succeeded, as `text`. */
export function Success({ share, text }: { share: number; text: string }) {
  return share < poorShare ? <Status tone="warn">{text}</Status> : <>{text}</>;
}
