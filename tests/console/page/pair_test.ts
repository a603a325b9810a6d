import { assertEquals } from "@std/assert";
import { formatsFor } from "../../../lib/console/page/format.ts";

for (
  const [locale, text] of [["en", "Budget: $5"], ["zh-CN", "Budget：$5"]] as const
) {
  Deno.test(`A name and its value are joined by the colon of ${locale}`, () => {
    const formats = formatsFor({ locale, timeZone: "UTC", nowMs: 0 });
    assertEquals(formats.pair("Budget", "$5"), text);
  });
}
