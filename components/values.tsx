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
  { nanoUsd, formats, decimals }: {
    nanoUsd: bigint;
    formats: Formats;
    /** The same for all amounts of a column. */
    decimals?: number;
  },
) {
  const text = decimals === undefined
    ? formats.money(nanoUsd)
    : formats.columnMoney(nanoUsd, decimals);
  const exact = formats.exactMoney(nanoUsd);
  return <span class="money" title={text === exact ? undefined : exact}>{text}</span>;
}

const [dollar, cent] = [1_000_000_000n, 10_000_000n];

/** The decimals of a column: cents where an amount reaches a dollar, and more digits in columns of less. */
export function decimalsAmong(amounts: readonly (bigint | undefined)[]): number {
  const isSome = (least: bigint) => amounts.some((one = 0n) => one >= least || -one >= least);
  return isSome(dollar) || !isSome(1n) ? 2 : isSome(cent) ? 4 : 6;
}

/** The cells of a column of amounts. An absent amount is an empty cell. */
export function dollarsCell<Row>(formats: Formats, amountOf: (row: Row) => bigint | undefined) {
  return (row: Row, rows: readonly Row[]) => {
    const nanoUsd = amountOf(row);
    return nanoUsd !== undefined && (
      <Dollars nanoUsd={nanoUsd} formats={formats} decimals={decimalsAmong(rows.map(amountOf))} />
    );
  };
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
