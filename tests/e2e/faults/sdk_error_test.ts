import { assert, assertEquals, assertRejects } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";
import type { MatrixClient } from "../sdk/matrix.ts";
import { chatClient } from "../sdk/matrix_chat.ts";
import { googleClient } from "../sdk/matrix_google.ts";
import { messagesClient } from "../sdk/matrix_messages.ts";
import { responsesClient } from "../sdk/matrix_responses.ts";
import { type FaultUpstream, pathName, startFaultUpstream } from "./fault_upstream.ts";
import { type Fault, faults } from "./faults.ts";
import { story } from "./proper_answer.ts";

/** The vendors' SDKs read streams that break, and streams that are finished without their mark. */

const clients: readonly MatrixClient[] = [
  chatClient,
  responsesClient,
  messagesClient,
  googleClient,
];
const breaking = faults.filter(({ streamed }) => streamed.type === "breaks");
const finished = faults.filter(({ name }) =>
  name.startsWith("finished without its mark") || name === "says more after the end"
);
/** Words of the gateway's own error, or of the upstream's. */
const words = /upstream|did not arrive|half of one/i;

for (const client of clients) {
  Deno.test(`faults in streams: the SDK for ${client.format} throws the error that ends one, whichever format answers`, async () => {
    await using upstream = startFaultUpstream(breaking);
    await using gateway = await startBefore(upstream, breaking);
    await Promise.all(
      pairs(breaking).map(async ({ fault, spoken }) => {
        const error = await assertRejects(() => asked(client, gateway, modelOf(fault, spoken)));
        const isTold = error instanceof Error && words.test(error.message);
        assert(isTold, `${fault.name}, ${spoken}: ${error}`);
      }),
    );
  });

  Deno.test(`faults in streams: the SDK for ${client.format} reads a finished answer whose upstream left its mark out or said more`, async () => {
    await using upstream = startFaultUpstream(finished);
    await using gateway = await startBefore(upstream, finished);
    await Promise.all(
      pairs(finished).map(async ({ fault, spoken }) => {
        const { text, finish } = await asked(client, gateway, modelOf(fault, spoken));
        assertEquals([text, finish], [story.join(""), "stop"], `${fault.name}, ${spoken}`);
      }),
    );
  });
}

function asked(client: MatrixClient, { base }: TestGateway, model: string) {
  const conversation = client.start({ model }, { base, key: testKey, fetch });
  conversation.say("Tell me a story of a fox");
  return conversation.ask({ stream: true });
}

function pairs(list: readonly Fault[]) {
  return list.flatMap((fault) => formatNames.map((spoken) => ({ fault, spoken })));
}

function modelOf({ name }: Fault, spoken: FormatName): string {
  return `${pathName(name)}@${spoken}`;
}

function startBefore(upstream: FaultUpstream, list: readonly Fault[]): Promise<TestGateway> {
  return startGateway({
    limits: { answerTailMs: 300 },
    upstreams: pairs(list).map(({ fault, spoken }) => ({
      id: modelOf(fault, spoken).replace("@", "-"),
      endpoints: { [spoken]: upstream.base(fault.name, spoken) },
      models: [modelOf(fault, spoken)],
      ...(fault.timeouts && { timeouts: fault.timeouts }),
    })),
  });
}
