import { assert, assertEquals } from "@std/assert";
import { colorsFor, subjectColors } from "../../../lib/console/charts/subject_colors.ts";
import { subjects } from "../../../lib/store/usage/mod.ts";

type Triple = readonly [number, number, number];

const css = await Deno.readTextFile(new URL("../../../static/css/tokens.css", import.meta.url));

/** The light and the dark value of a color, in linear light. */
function colorsOf(name: string): readonly Triple[] {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
  assert(found, name);
  return found.slice(1).map(linearOf);
}

function linearOf(hex: string): Triple {
  const part = (at: number) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function contrast(a: Triple, b: Triple): number {
  const light = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  return Math.max(light(a), light(b)) / Math.min(light(a), light(b));
}

/** Full protanopia, deuteranopia and tritanopia (Machado and others, 2009), and none. */
const sights: readonly (readonly Triple[])[] = [
  [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [
    -0.003882,
    -0.048116,
    1.051998,
  ]],
  [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [
    0.004733,
    0.691367,
    0.3039,
  ]],
];

/** The position in OKLab, times 100: 2 is a difference that is just seen. */
function seen(color: Triple, sight: readonly Triple[]): Triple {
  const [r, g, b] = sight.map((row) => row.reduce((sum, part, at) => sum + part * color[at], 0))
    .map((part) => Math.max(0, part));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    100 * (0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s),
    100 * (1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s),
    100 * (0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s),
  ];
}

Deno.test("subject colors: each differs from its ground and from all others, for any sight", () => {
  const names = [...subjectColors.map((color) => `data-${color}`), "data-rest"];
  for (const [theme, surface] of colorsOf("surface").entries()) {
    const colors = names.map((name) => colorsOf(name)[theme]);
    for (const [at, color] of colors.entries()) {
      assert(contrast(color, surface) >= 3 || names[at] === "data-rest", `${names[at]} ${theme}`);
      for (const [other, next] of colors.slice(0, at).entries()) {
        const apart = sights.map((sight) => {
          const [one, two] = [seen(color, sight), seen(next, sight)];
          return Math.hypot(...one.map((part, axis) => part - two[axis]));
        });
        assert(Math.min(...apart) >= 9, `${names[at]} ${names[other]} ${theme}: ${apart}`);
      }
    }
  }
});

const keys = Array.from({ length: 9 }, (_, at) => subjects.key(`key_${at}`, "account"));
const places = new Map(keys.map(({ value }, at) => [value, at]));

Deno.test("subject colors: one stays with its subject, whatever else is shown", () => {
  const all = colorsFor(keys.slice(0, 7), places);
  assertEquals(new Set(all.values()).size, 7);
  for (const shown of [[3, 1, 6], [6, 3], [0, 6, 5, 4]]) {
    const some = colorsFor(shown.map((at) => keys[at]), places);
    for (const [text, color] of some) assertEquals(color, all.get(text), text);
  }
});

Deno.test("subject colors: two of one place differ, and an unknown subject takes one that is free", () => {
  const colors = colorsFor([keys[8], keys[1], subjects.key("key_new", "account")], places);
  assertEquals(colors.get("key_1"), 2);
  assertEquals(new Set(colors.values()).size, 3);
});
