import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readRow, rowJson } from "../../lib/archive/part_file.ts";
import { packRow, packRows, unpackRows } from "../../lib/store/log/request_log_pack.ts";
import { anyRows, hostileFields } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";

Deno.test("a row in a file is the row of the store, in one line", () => {
  fc.assert(fc.property(anyRows({ minLength: 1, maxLength: 20 }), (rows) => {
    const stored = packRows(rows.map(packRow)).flatMap(unpackRows).map(({ row }) => row);
    for (const row of stored) {
      const line = rowJson(row);
      assert(!line.includes("\n"));
      assertEquals(readRow(line), row);
      assertEquals(rowJson(readRow(line)), line);
    }
  }));
});

Deno.test("a row with the longest texts, with lone surrogates, survives", () => {
  for (const piece of ["\ud800", "\u2028", "'\"\\", "\0", "模型"]) {
    const { row } = packRow(sampleRow(1, hostileFields(piece)));
    assertEquals(readRow(rowJson(row)), row);
  }
});
