import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { formatsFor } from "../../../lib/console/page/format.ts";

const formats = formatsFor({ locale: "en", timeZone: "UTC", nowMs: 0 });
const dollar = 1_000_000_000n;

for (
  const [nanoUsd, text] of [
    [0n, "$0.00"],
    [1n, "$0.000000001"],
    [118_700n, "$0.0001187"],
    [118_749n, "$0.0001187"],
    [10_700_000n, "$0.0107"],
    [9_723_499n, "$0.009723"],
    [112_000_000n, "$0.112"],
    [500_000_000n, "$0.50"],
    [999_960_000n, "$1.00"],
    [99_996_000n, "$0.10"],
    [1_234_567_890n, "$1.23"],
    [12_345n * dollar + 678_900_000n, "$12,345.68"],
    [-10_740_600n, "−$0.01074"],
  ] as const
) {
  Deno.test(`money: ${nanoUsd} nano-dollars read ${text}`, () => {
    assertEquals(formats.money(nanoUsd), text);
  });
}

const amounts = fc.oneof(
  fc.bigInt(-(10n ** 18n), 10n ** 18n),
  fc.bigInt(-dollar, dollar),
  fc.bigInt(-100_000n, 100_000n),
);

Deno.test("money: two decimals from $1 on, below four digits that count and at least two", () => {
  fc.assert(fc.property(amounts, (nanoUsd) => {
    const [, whole, decimals] = /^−?\$([\d,]+)\.(\d+)$/.exec(formats.money(nanoUsd)) ?? [];
    const counting = `${whole}${decimals}`.replace(/^[0,]+/, "");
    if (whole !== "0") return assertEquals(decimals.length, 2);
    assert(decimals.length >= 2 && counting.length <= 4, `${nanoUsd}: ${decimals}`);
    assert(decimals.length === 2 || !decimals.endsWith("0"), decimals);
  }));
});

Deno.test("money: the text is at most half a unit of its last digit away from the amount", () => {
  fc.assert(fc.property(amounts, (nanoUsd) => {
    const text = formats.money(nanoUsd);
    const size = nanoUsd < 0n ? -nanoUsd : nanoUsd;
    const unit = size >= dollar ? dollar / 100n : unitOf(size);
    const off = nanoOf(text) - nanoUsd;
    assert(2n * (off < 0n ? -off : off) <= unit, `${nanoUsd} reads ${text}`);
  }));
});

Deno.test("money: the exact amount reads back to the nano-dollar", () => {
  fc.assert(fc.property(amounts, (nanoUsd) => {
    assertEquals(nanoOf(formats.exactMoney(nanoUsd)), nanoUsd);
  }));
});

/** The fourth digit of an amount below $1. */
function unitOf(size: bigint): bigint {
  return 10n ** BigInt(Math.max(0, String(size).length - 4));
}

function nanoOf(text: string): bigint {
  const [, sign, whole, decimals] = /^(−?)\$([\d,]+)\.(\d+)$/.exec(text) ?? [];
  const size = BigInt(whole.replaceAll(",", "")) * dollar + BigInt(decimals.padEnd(9, "0"));
  return sign ? -size : size;
}

Deno.test("percent: neither all nor nothing unless it is", () => {
  assertEquals([1, 0, 0.9999, 0.00001, 0.931].map(formats.percent), [
    "100%",
    "0%",
    "99.9%",
    "0.1%",
    "93.1%",
  ]);
});

Deno.test("spans: milliseconds, then seconds with three digits", () => {
  assertEquals([640, 999.6, 1_620, 9_996, 12_440, 124_300, 2_000_000].map(formats.span), [
    "640 ms",
    "1.00 s",
    "1.62 s",
    "10.0 s",
    "12.4 s",
    "124 s",
    "2,000 s",
  ]);
});
