import { stock } from "../stocked_console.ts";
import type { ServedConsole } from "../served_console.ts";
import { signedInTest } from "../usage_pages.ts";
import { Counted } from "./counted.ts";

/** A journey of an administrator of 51 accounts, 117 keys and 2,000 calls. */
export function teamJourney(
  name: string,
  test: (person: Counted, served: ServedConsole) => Promise<void>,
): void {
  signedInTest(name, async (page, served) => {
    await stock(served);
    await page.setViewport({ width: 1440, height: 900 });
    await test(new Counted(page), served);
  });
}
