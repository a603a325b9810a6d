import { assert, assertEquals } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { Deadline } from "../../lib/upstreams/deadline.ts";

const long = 60_000;
const timeouts = { connectMs: long, firstByteMs: long, idleMs: long, totalMs: long };

/** The reason why a call with these timeouts ended. */
async function endOf(
  bounds: Partial<typeof timeouts>,
  enter: (deadline: Deadline) => void,
  caller = new AbortController(),
): Promise<GatewayError> {
  const closed: Deadline[] = [];
  const deadline = new Deadline({ ...timeouts, ...bounds }, {
    caller: caller.signal,
    onClose: (one) => closed.push(one),
  });
  const aborted = Promise.withResolvers<void>();
  if (deadline.signal.aborted) aborted.resolve();
  deadline.signal.addEventListener("abort", () => aborted.resolve());
  enter(deadline);
  await aborted.promise;
  assertEquals(closed, [deadline]);
  assert(deadline.signal.reason instanceof GatewayError);
  return deadline.signal.reason;
}

const cases: readonly {
  readonly name: string;
  readonly bounds: Partial<typeof timeouts>;
  readonly enter: (deadline: Deadline) => void;
  readonly says: string;
}[] = [
  {
    name: "a connection that does not come about",
    bounds: { connectMs: 5 },
    enter: (deadline) => deadline.awaitConnection(),
    says: "no connection within 5 ms",
  },
  {
    name: "a first byte that does not come",
    bounds: { firstByteMs: 5 },
    enter: (deadline) => deadline.awaitFirstByte(),
    says: "no first byte within 5 ms",
  },
  {
    name: "silence between two chunks",
    bounds: { idleMs: 5 },
    enter: (deadline) => deadline.awaitChunks(),
    says: "no next chunk within 5 ms",
  },
  {
    name: "an answer that goes on for too long, though nobody reads it",
    bounds: { totalMs: 5, idleMs: 1 },
    enter: (deadline) => {
      deadline.awaitChunks();
      deadline.stopReading();
    },
    says: "no whole answer within 5 ms",
  },
];
for (const { name, bounds, enter, says } of cases) {
  Deno.test(`Deadline ends ${name}`, async () => {
    const error = await endOf(bounds, enter);
    assertEquals([error.code, error.message], [
      "upstream_timeout",
      `The upstream timed out: ${says}`,
    ]);
  });
}

Deno.test("Deadline ends with the caller, who may have left before", async () => {
  const caller = new AbortController();
  assertEquals((await endOf({}, () => caller.abort(), caller)).code, "client_closed");
  assertEquals((await endOf({}, () => {}, caller)).code, "client_closed");
});

Deno.test("Deadline leaves no timer behind once it is closed", () => {
  const caller = new AbortController();
  const deadline = new Deadline(timeouts, { caller: caller.signal, onClose: () => {} });
  deadline.awaitFirstByte();
  deadline.awaitChunks();
  deadline.close();
  caller.abort();
  assertEquals(deadline.signal.aborted, false);
});
