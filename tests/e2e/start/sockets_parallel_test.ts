import { assertEquals } from "@std/assert";
import { testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";
import { isType, openSocket } from "../sockets/session.ts";

Deno.test("sockets on all cores: each stays with its isolate, and a stop closes all with 1001", () =>
  withStoreFolder(async (folder) => {
    const server = await startServer(folder, { config: {}, isolates: 2 });
    const clients = await Promise.all(
      Array.from({ length: 6 }, () => openSocket(server, testKey)),
    );
    for (const client of clients) {
      client.send({ type: "response.create", model: "tessera-echo", input: "hi", store: false });
      await client.seen(isType("response.completed"));
    }
    const codes = Promise.all(clients.map(({ closed }) => closed));
    assertEquals(await server.stop(), 0, server.said());
    assertEquals(await codes, clients.map(() => 1001));
  }));
