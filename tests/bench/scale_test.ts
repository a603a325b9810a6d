import { assert, assertEquals, assertThrows } from "@std/assert";
import { readFigures, withTables } from "../../bench/scale.ts";
import { total } from "../../bench/writes/purposes.ts";

const page = new URL("../../bench/RESULTS.md", import.meta.url);

Deno.test("scale: the page's tables are those of the measured figures", async () => {
  const text = await Deno.readTextFile(page);
  assertEquals(withTables(text, await readFigures()), text);
});

Deno.test("scale: other figures change the tables", async () => {
  const text = await Deno.readTextFile(page);
  const measured = await readFigures();
  const figures = measured.figures.map((figure) => ({
    ...figure,
    units: { ...figure.units, money: figure.units.money + 1 },
    hotKeys: { ...figure.hotKeys, rollup_turn: 9 },
  }));
  const changed = withTables(text, { ...measured, figures });
  assert(changed !== text);
  assert(/turn to add to the totals +\| yes +\| 9 .* 450 /.test(changed), changed);
});

Deno.test("scale: a rate that was not measured is refused", async () => {
  const measured = await readFigures();
  const text = "<!-- cost -->\n<!-- end of cost -->";
  assertThrows(() => withTables(text, { ...measured, figures: [] }), Error, "No measurement at 1 ");
});

Deno.test("scale: a call of one key writes at most 12 units at 5/s and 4 at 200/s", async () => {
  const { figures } = await readFigures();
  for (const [rate, most] of [[5, 12], [200, 4]]) {
    const found = figures.find((one) => one.rate === rate && one.keys === 1 && one.isolates === 1);
    assert(found && total(found.units) <= most, `${rate}/s`);
  }
});
