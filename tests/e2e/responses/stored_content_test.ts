import { assert, assertEquals, assertMatch } from "@std/assert";
import { compose } from "../../../main.ts";
import { eventually, withTempFolder } from "../../store/temp_store.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, testKey } from "../gateway.ts";

/** The content of stored responses in the store's files. */

const spoken = {
  prompt: "Prompt-7f3a: the patient is called",
  answer: "Answer-91bc: she is called",
  item: "Item-c55d: an added message",
  metadata: "Metadata-04e2",
  streamed: "Streamed-5a77",
} as const;

/** As an agent sends it: a long history, in several values of the store. */
const history = `${spoken.prompt} `.repeat(6_000);

function answerOf(request: { readonly stream?: boolean }): Response {
  const text = request.stream ? spoken.streamed : spoken.answer;
  const body = {
    id: `resp_${crypto.randomUUID()}`,
    object: "response",
    created_at: 1,
    status: "completed",
    model: "m",
    output: [{
      id: `msg_${crypto.randomUUID()}`,
      type: "message",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: `${text} `.repeat(500), annotations: [] }],
    }],
    usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
  };
  if (!request.stream) return Response.json(body);
  const created = { type: "response.created", sequence_number: 0, response: body };
  const completed = { type: "response.completed", sequence_number: 1, response: body };
  return new Response(
    [created, completed].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(""),
    { headers: { "content-type": "text/event-stream" } },
  );
}

interface Running extends AsyncDisposable {
  call(address: string, body?: object): Promise<{ readonly id: string; readonly status: unknown }>;
  readonly parts: Awaited<ReturnType<typeof compose>>;
}

async function start(folder: string, upstream: FakeUpstream): Promise<Running> {
  const config = `${folder}/config.jsonc`;
  await Deno.writeTextFile(
    config,
    JSON.stringify({
      keys: [{ name: "test", group: "default", value: testKey }],
      ...oneUpstream({ responses: upstream.base }, { models: ["plain"] }),
    }),
  );
  const parts = await compose({ TESSERA_KV: pathIn(folder), TESSERA_CONFIG: config });
  const headers = { authorization: `Bearer ${testKey}`, "content-type": "application/json" };
  return {
    parts,
    call: async (address, body) => {
      const [method, path] = address.split(" ");
      const url = `http://127.0.0.1/v1${path}`;
      const request = new Request(url, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const response = await parts.fetch(request, {
        remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
        completed: Promise.resolve(),
      });
      const told = await response.json();
      assertEquals(response.status, 200, JSON.stringify(told));
      return told;
    },
    [Symbol.asyncDispose]: () => parts.close(),
  };
}

const pathIn = (folder: string) => `${folder}/data/tessera.db`;

/** The names of the texts that the files of a store contain. */
function foundIn(folder: string, texts: Readonly<Record<string, string>>): string[] {
  const files = [...Deno.readDirSync(`${folder}/data`)].filter(({ name }) => name !== "secret");
  return files.flatMap(({ name }) => {
    const bytes = Deno.readFileSync(`${folder}/data/${name}`);
    const all = latin1.decode(bytes);
    return Object.entries(texts).filter(([, text]) => all.includes(text))
      .map(([what]) => `${what} in ${name}`);
  }).sort();
}

const latin1 = new TextDecoder("latin1");

/** Says everything that is kept, and returns what deletes it. */
async function sayAll({ call }: Running): Promise<readonly string[]> {
  const plain = await call("POST /responses", { model: "plain", input: history });
  const gathered = await call("POST /conversations", {
    metadata: { topic: spoken.metadata },
    items: [{ type: "message", role: "user", content: spoken.item }],
  });
  const inIt = await call("POST /responses", {
    model: "plain",
    input: spoken.prompt,
    conversation: gathered.id,
  });
  const beside = await call("POST /responses", {
    model: "plain",
    input: spoken.prompt,
    background: true,
  });
  assert(
    await eventually(async () =>
      (await call(`GET /responses/${beside.id}`)).status === "completed"
    ),
  );
  return [
    `/responses/${plain.id}`,
    `/conversations/${gathered.id}`,
    `/responses/${inIt.id}`,
    `/responses/${beside.id}`,
  ];
}

Deno.test("stored content: no file of the store holds what was said, and a call can go on from it", () =>
  withTempFolder(async (folder) => {
    await using upstream = startUpstream(({ body }) => answerOf(JSON.parse(body)));
    await using gateway = await start(folder, upstream);
    const [first] = await sayAll(gateway);
    assertEquals(foundIn(folder, spoken), []);
    await gateway.call("POST /responses", {
      model: "plain",
      input: "and then?",
      previous_response_id: first.split("/").at(-1),
    });
    const sent = upstream.seen.at(-1)?.body ?? "";
    assert(sent.includes(spoken.prompt) && sent.includes(spoken.answer), "it went on from nothing");
  }));

Deno.test("stored content: what was deleted is not in the file after a compaction, sealed or not", () =>
  withTempFolder(async (folder) => {
    await using upstream = startUpstream(({ body }) => answerOf(JSON.parse(body)));
    const addresses: string[] = [];
    {
      await using gateway = await start(folder, upstream);
      addresses.push(...await sayAll(gateway), ...(await sayAll(gateway)).toReversed());
    }
    let sealed: Readonly<Record<string, string>>;
    { // by now, the file itself has the writes of the first start
      await using gateway = await start(folder, upstream);
      sealed = await sealedIn(gateway);
      assert(Object.keys(sealed).length >= 14, Object.keys(sealed).join());
      for (const address of addresses) await gateway.call(`DELETE ${address}`);
      const refused = await runOn(folder, "compact");
      assertEquals(refused.code, 1);
      assertMatch(
        refused.text,
        /^Cannot open the store .* already uses it\. Stop the gateway first\n$/,
      );
    }
    assert(foundIn(folder, sealed).length > 0, "SQLite keeps what was deleted in free pages");
    const compacted = await runOn(folder, "compact");
    assertEquals(compacted.code, 0, compacted.text);
    assertMatch(compacted.text, /^Compacted .* from \d+ to \d+ bytes\n$/);
    assertEquals(foundIn(folder, { ...sealed, ...spoken }), []);
    const audit = await runOn(folder, "audit");
    assertEquals(audit.code, 0, audit.text);
    assertMatch(audit.text, /^\d+ calls, 0 differences/);
    await using again = await start(folder, upstream);
    await sayAll(again);
  }));

/** Runs a task on a store; returns its output and exit code. */
async function runOn(folder: string, tool: "audit" | "compact") {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `tools/${tool}.ts`],
    cwd: new URL("../../..", import.meta.url).pathname,
    env: { TESSERA_KV: pathIn(folder), TESSERA_CONFIG: `${folder}/config.jsonc` },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** The first bytes of every sealed value. */
async function sealedIn({ parts: { store } }: Running): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = [];
  for (const prefix of ["kept_text", "response_events", "conversation"]) {
    for await (const { key, value } of store.kv.list<Value>({ prefix: [prefix] })) {
      const bytes = value.sealed ?? value.metadata?.sealed;
      assert(bytes instanceof Uint8Array, `${key.join(" ")} is clear`);
      found.push([key.join(" "), latin1.decode(bytes.subarray(0, 24))]);
    }
  }
  return Object.fromEntries(found);
}

interface Value {
  readonly sealed?: Uint8Array;
  readonly metadata?: { readonly sealed?: Uint8Array };
}
