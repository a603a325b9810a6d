import type { ComponentChildren, JSX } from "preact";
import type { Formats } from "../lib/console/page/format.ts";

/** A list of names, each with its value. */
export function Facts({ class: style, children }: { class?: string; children: ComponentChildren }) {
  return <dl class={style ? `facts ${style}` : "facts"}>{children}</dl>;
}

/** A name with its value; nothing if there is no value. Further attributes go to the value. */
export function Fact(
  { name, children, ...value }: Omit<JSX.HTMLAttributes<HTMLElement>, "name" | "children"> & {
    name: ComponentChildren;
    children: ComponentChildren;
  },
) {
  if (children === undefined || children === false || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd {...value}>{children}</dd>
    </div>
  );
}

/** A number with its name above and an explanation below. */
export function Figure(
  { name, value, children }: {
    name: string;
    value: ComponentChildren;
    children?: ComponentChildren;
  },
) {
  return (
    <div>
      <h2>{name}</h2>
      <p class="figure">{value}</p>
      <p class="sub">{children}</p>
    </div>
  );
}

/** An amount to read. The title has the exact one where digits are missing. */
export function Dollars(
  { nanoUsd, formats, aligned = false }: {
    nanoUsd: bigint;
    formats: Formats;
    /** Aligns a column of small amounts on the decimal point. */
    aligned?: boolean;
  },
) {
  const [text, exact] = [formats.money(nanoUsd), formats.exactMoney(nanoUsd)];
  const point = text.lastIndexOf(".");
  return (
    <span class="money" title={text === exact ? undefined : exact}>
      {aligned ? text.slice(0, point) : text}
      {aligned && <span class="cents">{text.slice(point)}</span>}
    </span>
  );
}

/** A time in the reader's zone, with the same time in UTC as its title. */
export function Time(
  { atMs, formats, as = "ago" }: {
    atMs: number;
    formats: Formats;
    as?: "ago" | "brief" | "clock" | "day" | "moment";
  },
) {
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formats.utc(atMs)}>
      {formats[as](atMs)}
    </time>
  );
}
