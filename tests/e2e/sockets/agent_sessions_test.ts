import { assertEquals } from "@std/assert";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { startGateway, testKey } from "../gateway.ts";
import { openSocket } from "./session.ts";

/** The session of each frame, as Codex states it in the upgrade's headers and in the frame. */

const upgrade = {
  "session-id": "s",
  "thread-id": "s",
  "x-codex-turn-metadata": '{"session_id":"s","request_kind":"prewarm"}',
};
const frameOf = (client_metadata?: Record<string, string>) => ({
  ...{ type: "response.create", model: "tessera-echo", input: "Say hi", store: false },
  ...(client_metadata && { client_metadata }),
});

async function sessionsOf(
  headers: Readonly<Record<string, string>>,
  frames: readonly ReturnType<typeof frameOf>[],
) {
  await using gateway = await startGateway();
  using client = await openSocket(gateway, testKey, { headers });
  for (const [at, frame] of frames.entries()) {
    client.send(frame);
    await client.seen(() => ends(client.frames) > at);
  }
  const { rows } = await listRequestLogs(gateway.parts.store, { limit: 10 });
  return rows.toReversed().map(({ session }) => session);
}

function ends(frames: readonly { readonly type: string }[]): number {
  return frames.filter(({ type }) => type === "response.completed").length;
}

Deno.test("sockets: each frame has the session, sub-agent and class of its metadata", async () => {
  const turn = { session_id: "s", "x-codex-turn-metadata": '{"request_kind":"turn"}' };
  const subAgent = { ...turn, thread_id: "t", "x-openai-subagent": "collab_spawn" };
  const other = { session_id: "s2", thread_id: "s2" };
  const frames = [undefined, { ...turn, thread_id: "s" }, subAgent, other].map(frameOf);
  assertEquals(await sessionsOf(upgrade, frames), [
    { id: "s", requestClass: "prewarm" },
    { id: "s", requestClass: "turn" },
    { id: "s", agent: "t", requestClass: "collab_spawn" },
    { id: "s2" },
  ]);
});

Deno.test("sockets: tessera-session of the upgrade is the session of all frames", async () => {
  const headers = { ...upgrade, "tessera-session": "build-7/docs" };
  const frames = [undefined, { session_id: "s", thread_id: "s" }].map(frameOf);
  const own = { id: "build-7", agent: "docs" };
  assertEquals(await sessionsOf(headers, frames), [own, own]);
});
