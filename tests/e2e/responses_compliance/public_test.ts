import { formatNames } from "../../../lib/canonical/mod.ts";
import { publicCases } from "./public_cases.ts";
import { startJudged } from "./server.ts";

for (const format of formatNames) {
  for (const { id, needs = [], run } of publicCases) {
    Deno.test(`public compliance, ${format}: ${id}`, async () => {
      await using judged = await startJudged(format);
      for (const need of needs) {
        if (!await judged.serves(need)) return console.log(`not run: the server has no ${need}`);
      }
      await run(judged);
    });
  }
}
