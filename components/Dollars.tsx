import type { Formats } from "../lib/console/page/format.ts";

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
