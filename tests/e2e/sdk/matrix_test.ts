import { assertEquals } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { chatClient } from "./matrix_chat.ts";
import { googleClient } from "./matrix_google.ts";
import { messagesClient } from "./matrix_messages.ts";
import { responsesClient } from "./matrix_responses.ts";
import { assertKept, type Pair, stageOf, startPair } from "./pair.ts";
import { scenariosOf } from "./scenarios.ts";
import { streamValidators } from "../../formats/validators/mod.ts";

/**
 * Every vendor's SDK in every client format against every strict upstream: sixteen pairs, each with
 * all scenarios.
 */

const clients = [chatClient, responsesClient, messagesClient, googleClient];

const passed = new Map<string, number>();

for (const client of clients) {
  for (const format of formatNames) {
    Deno.test(`matrix ${client.format} → ${format}`, async (test) => {
      for (const { name, run, cut } of scenariosOf(client, format, { vendorsOwn: true })) {
        await test.step(name, async () => {
          await using pair = await startPair(client, format);
          await run(stageOf(pair));
          assertKept(pair);
          if (!cut) assertStreamsKept(pair);
          const key = `${client.format} → ${format}`;
          passed.set(key, (passed.get(key) ?? 0) + 1);
        });
      }
    });
  }
}

Deno.test("matrix: every pair passes every scenario", () => {
  const rows = clients.map((client) =>
    formatNames.map((to) => {
      const { length } = scenariosOf(client, to, { vendorsOwn: true });
      return `${passed.get(`${client.format} → ${to}`) ?? 0}/${length}`;
    })
  );
  const width = 18;
  const line = (cells: readonly string[]) => cells.map((cell) => cell.padEnd(width)).join("");
  console.log(line(["client \\ upstream", ...formatNames]));
  for (const [index, { format }] of clients.entries()) console.log(line([format, ...rows[index]]));
  assertEquals(rows.flat().filter((cell) => !/^(\d+)\/\1$/.test(cell)), []);
});

/** Every stream that the SDK got kept its dialect's protocol. */
function assertStreamsKept({ client, tape }: Pair): void {
  for (const events of tape.streams) {
    const validator = streamValidators[client.format]();
    for (const event of events) validator.push(event);
    assertEquals(validator.end(), []);
  }
}
