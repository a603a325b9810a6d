import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type CliOperation, describedOperations, pathParts } from "../../cli/operation.ts";
import { operations } from "../../lib/management/mod.ts";
import { type Ran, runCli } from "./console_terminal.ts";

const env = {
  TESSERA_URL: "https://llm.example.com",
  TESSERA_TOKEN: "sk-admin-test",
  HOME: "/none",
};

/** Runs a command against an API that answers with an empty object, and returns its request. */
async function requestOf(
  args: readonly string[],
): Promise<{ ran: Ran; request?: Request }> {
  let request: Request | undefined;
  const ran = await runCli(args, {
    env,
    send: (sent) => {
      request = sent;
      return Promise.resolve(Response.json({ data: [], next_cursor: null }));
    },
  });
  return { ran, ...(request && { request }) };
}

/** A value for each required option, as its help shows it. */
function required({ body = [] }: CliOperation): string[] {
  const samples = {
    string: "x",
    number: "1",
    boolean: "true",
    list: "a",
    record: "a=b",
    time: "2027-01-01",
    json: "{}",
  };
  return body.filter((field) => field.required).flatMap((
    { name, type, choices, of },
  ) => [
    `--${name.replaceAll("_", "-")}`,
    choices?.[0] ?? (type === "list" && of === "number" ? "1" : samples[type]),
  ]);
}

Deno.test("cli: every operation of the API has a command of its own", () => {
  const described = describedOperations.map(({ method, path }) => `${method} ${path}`);
  const served = operations.filter(({ path }) => path !== "")
    .map(({ method, path }) => `${method} ${path}`);
  assertEquals(described.toSorted(), served.toSorted());
  const words = describedOperations.map((one) => one.words.join(" "));
  assertEquals(new Set(words).size, words.length);
});

for (const operation of describedOperations) {
  const { words, method, path } = operation;
  Deno.test(`cli: ${words.join(" ")} sends ${method} ${path}, and its help has an example`, async () => {
    const help = await runCli([...words, "--help"], { env });
    assertEquals(help.code, 0, help.err);
    const shown = words.filter((word) => word !== "list").join(" ");
    assertMatch(help.out, new RegExp(`Examples?:\n  tessera ${shown}`));
    const parts = pathParts(operation).map((name, at) =>
      name === "from" ? "2027-01-01T00:00:00.000Z" : `id/${at} ü`
    );
    const { ran, request } = await requestOf([
      ...words,
      ...parts,
      ...required(operation),
      "--json",
    ]);
    assertEquals(ran.code, 0, ran.err);
    assert(request);
    assertEquals(request.method, method);
    const { origin, pathname } = new URL(request.url);
    let at = 0;
    const expected = path.replace(
      /\{(\w+)\}/g,
      () => encodeURIComponent(parts[at++]),
    );
    assertEquals(
      origin + pathname,
      `https://llm.example.com/api/v1${expected}`,
    );
    assertEquals(request.headers.get("authorization"), "Bearer sk-admin-test");
    assertEquals(request.headers.has("idempotency-key"), method === "POST");
    if (operation.body) JSON.parse(await request.text());
    JSON.parse(ran.out);
  });
}

Deno.test("cli: no option of a command hides one of the program", () => {
  const own = new Set([
    "gateway",
    "token",
    "json",
    "help",
    "all",
    "data",
    "if_match",
    "budget",
  ]);
  const clashes = describedOperations.flatMap(({ words, query, body = [] }) => {
    const names = [...query, ...body].map(({ name }) => name);
    const repeated = names.filter((name, at) => own.has(name) || names.indexOf(name) !== at);
    return repeated.map((name) => `${words.join(" ")}: ${name}`);
  });
  assertEquals(clashes, []);
});

Deno.test("cli: options become the fields of a body", async () => {
  const { ran, request } = await requestOf([
    ...[
      "keys",
      "create",
      "--name",
      "ci",
      "--budget",
      "5/day",
      "--budget",
      "100/total",
    ],
    ...["--budget", "2/5h"],
    ...[
      "--models",
      "gpt-5, gpt-5-mini",
      "--limits",
      "requests_per_minute=60,concurrency=none",
    ],
    ...[
      "--enabled",
      "false",
      "--expires-at",
      "none",
      "--alert-percents",
      "50,80",
    ],
    ...[
      "--metadata",
      "team=core",
      "--data",
      '{"group":"batch","name":"other"}',
    ],
  ]);
  assertEquals(ran.code, 0, ran.err);
  assertEquals(await request?.json(), {
    group: "batch",
    name: "ci",
    budgets: { day: "5", total: "100", "5h": "2" },
    models: ["gpt-5", "gpt-5-mini"],
    limits: { requests_per_minute: 60, concurrency: null },
    enabled: false,
    expires_at: null,
    alert_percents: [50, 80],
    metadata: { team: "core" },
  });
});

Deno.test("cli: filters go into the address, and a guard into the headers", async () => {
  const list = await requestOf([
    "keys",
    "list",
    "--group",
    "a b",
    "--limit",
    "5",
  ]);
  assertEquals(new URL(list.request?.url ?? "").search, "?limit=5&group=a+b");
  const deleted = await requestOf([
    "keys",
    "delete",
    "key_1",
    "--if-match",
    '"abc"',
  ]);
  assertEquals(deleted.request?.headers.get("if-match"), '"abc"');
});

const wrong = [
  { args: ["keys", "create"], says: "--name is missing" },
  {
    args: ["keys", "create", "--name", "x", "--budget", "5"],
    says: "--budget needs an amount",
  },
  {
    args: ["keys", "create", "--name", "x", "--limits", "60"],
    says: "--limits needs pairs",
  },
  {
    args: ["keys", "create", "--name", "x", "--enabled", "maybe"],
    says: "needs true or false",
  },
  {
    args: ["keys", "create", "--name", "x", "--data", "[]"],
    says: "--data needs a JSON object",
  },
  { args: ["keys", "list", "--limit", "many"], says: "--limit needs a number" },
  { args: ["keys", "get"], says: "missing required argument 'id'" },
  { args: ["keys", "explode"], says: "explode" },
  { args: ["keys", "list", "--nothing"], says: "unknown option '--nothing'" },
  {
    args: ["keys", "list", "--gateway", "nowhere"],
    says: "Not an address: nowhere",
  },
];

for (const { args, says } of wrong) {
  Deno.test(`cli: tessera ${args.join(" ")} is refused before anything is sent`, async () => {
    const { ran, request } = await requestOf(args);
    assertEquals([ran.code, request], [2, undefined], ran.out);
    assertStringIncludes(ran.err, says);
  });
}

const grant = [
  "wallets",
  "grant",
  "usr_1",
  "--amount",
  "5.00",
  "--reason",
  "x",
];

Deno.test("cli: a grant whose connection breaks is sent once more, with the same key", async () => {
  const keys: (string | null)[] = [];
  const ran = await runCli(grant, {
    env,
    send: (request) => {
      keys.push(request.headers.get("idempotency-key"));
      if (keys.length === 1) {
        return Promise.reject(new TypeError("connection closed"));
      }
      return Promise.resolve(Response.json({ id: "x" }));
    },
  });
  assertEquals([ran.code, keys.length, keys[0]], [0, 2, keys[1]]);
});

Deno.test("cli: a request whose answer breaks off is sent again, and the message names the key", async () => {
  const keys: (string | null)[] = [];
  const send = (request: Request) => {
    keys.push(request.headers.get("idempotency-key"));
    const body = new ReadableStream({
      pull: (to) => to.error(new TypeError("cut")),
    });
    return Promise.resolve(new Response(body));
  };
  const { code, err } = await runCli([...grant, "--idempotency-key", "mine"], {
    env,
    send,
  });
  assertEquals([code, keys], [3, ["mine", "mine"]]);
  assertStringIncludes(err, "--idempotency-key mine");
});

Deno.test("cli: a grant without an answer in time is not sent again, and names its key", async () => {
  let sent = "";
  const { code, err } = await runCli(grant, {
    env,
    send: (request) => {
      assertEquals(sent, "");
      sent = request.headers.get("idempotency-key") ?? "";
      return Promise.reject(
        new DOMException("Signal timed out.", "TimeoutError"),
      );
    },
  });
  assertEquals(code, 3);
  assertStringIncludes(err, `--idempotency-key ${sent}`);
});

Deno.test("cli: a change that has no key is not sent again", async () => {
  let count = 0;
  const send = () => Promise.reject(new TypeError(`connection closed ${++count}`));
  const { code } = await runCli(["keys", "delete", "key_1"], { env, send });
  assertEquals([code, count], [3, 1]);
});

for (
  const args of [
    ["keys", "delete", ""],
    ["keys", "delete", ".."],
    ["keys", "create", "--name", "x", "--data", "@/none/none.json"],
  ]
) {
  Deno.test(`cli: sends nothing for ${args.join(" ")}`, async () => {
    const { ran, request } = await requestOf(args);
    assertEquals([ran.code, request], [2, undefined], ran.err);
  });
}

Deno.test("cli: --budget adds to the budgets of --data", async () => {
  const data = '{"name":"x","budgets":{"month":"9"}}';
  const { request } = await requestOf([
    "keys",
    "create",
    "--data",
    data,
    "--budget",
    "5/day",
  ]);
  assertEquals((await request?.json()).budgets, { month: "9", day: "5" });
});

for (
  const args of [["--interval", "abc"], ["--interval", "0"], ["--count", "abc"]]
) {
  Deno.test(`cli: calls tail ${args.join(" ")} is wrong usage`, async () => {
    const { ran, request } = await requestOf([
      "calls",
      "tail",
      "--count",
      "1",
      ...args,
    ]);
    assertEquals([ran.code, request], [2, undefined]);
  });
}

Deno.test("cli: calls tail prints each of 250 calls between two looks", async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `req_${1_000 + at}`)
    .toReversed();
  let looks = 0;
  const send = ({ url }: Request) => {
    const from = Number(new URL(url).searchParams.get("cursor") ?? 0);
    if (looks++ === 0) {
      return Promise.resolve(Response.json({ data: [], next_cursor: null }));
    }
    const data = ids.slice(from, from + 100).map((id) => ({ id, user_agent: "\u009b2J\u202e" }));
    const next_cursor = from + 100 < ids.length ? String(from + 100) : null;
    return Promise.resolve(Response.json({ data, next_cursor }));
  };
  const args = [
    "calls",
    "tail",
    "--count",
    "250",
    "--interval",
    "0.01",
    "--json",
  ];
  const { code, out } = await runCli(args, { env, send });
  const printed = out.split("\n").map((line) => JSON.parse(line).id);
  assertEquals([code, printed], [0, ids.toReversed()]);
  assertMatch(out, /^[\x20-\x7e\n]*$/); // nothing that a terminal obeys
});

/** Lists with parts whose first object is the newest; the codes of a batch are of one age. */
const inTimeOrder = /newest|last used first|codes of a batch/;

for (const { path, summary, isList } of describedOperations) {
  const one = describedOperations.find((other) =>
    other.method === "GET" && other.path.startsWith(`${path}/{`) &&
    !other.path.includes("/", path.length + 1)
  );
  if (!isList || !one || path.includes("{") || inTimeOrder.test(summary)) {
    continue;
  }
  Deno.test(`cli: ${one.words.join(" ")} latest is refused, because the list is not by time`, async () => {
    const { ran, request } = await requestOf([...one.words, "latest"]);
    assertEquals([ran.code, request], [2, undefined]);
    assertStringIncludes(ran.err, "have no latest");
  });
}

Deno.test("cli: the latest credential of an upstream is the one that was added last", async () => {
  const sent: string[] = [];
  await runCli(["upstreams", "remove-credential", "vendor", "latest"], {
    env,
    send: ({ method, url }) => {
      sent.push(`${method} ${new URL(url).pathname}`);
      return Promise.resolve(
        Response.json({ credentials: [{ id: "first" }, { id: "second" }] }),
      );
    },
  });
  assertEquals(
    sent.at(-1),
    "DELETE /api/v1/upstreams/vendor/credentials/second",
  );
});
