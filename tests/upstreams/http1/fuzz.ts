import { type FuzzAnswer, fuzzAnswers } from "./fuzz_answers.ts";
import { type Difference, type Outcome, strictness } from "./fuzz_differences.ts";
import { type RawPeer, startClient, startRawPeer } from "./raw_peer.ts";

interface Report {
  readonly answers: number;
  /** The number of answers under each rule of strictness. */
  readonly allowed: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

const atOnce = 24;
const differencesMax = 20;
/** A pooled connection may be stale, so a difference counts only if it occurs on new ones. */
const tries = 3;

/** Gives `count` answers from the same peer to both clients, and compares. */
export async function fuzz(
  { count, seed, onProgress }: {
    readonly count: number;
    readonly seed: number;
    readonly onProgress?: (answers: number) => void;
  },
): Promise<Report> {
  const known = new Map<string, FuzzAnswer>();
  await using peer = startRawPeer(async (peer) => {
    for (let head = await peer.readHead(); head !== undefined; head = await peer.readHead()) {
      const answer = known.get(head.slice(5, head.indexOf(" ", 5)));
      if (!answer) return;
      await peer.write(bytesOf(answer.text));
      if (answer.closes) return;
    }
  });
  using clients = startClients(peer);
  const differences: Difference[] = [];
  const allowed: Record<string, number> = {};
  const waiting = fuzzAnswers(count, seed);
  let answers = 0;
  const work = async () => {
    for (const answer of waiting) {
      const id = String(answers++);
      if (answers % 10_000 === 0) onProgress?.(answers);
      known.set(id, answer);
      const difference = await differenceOf(id, answer, clients);
      known.delete(id);
      if (!difference) continue;
      const rule = ruleOf(difference);
      if (rule === undefined) differences.push(difference);
      else allowed[rule] = (allowed[rule] ?? 0) + 1;
      if (differences.length >= differencesMax) return;
    }
  };
  // a generator's `return` at the end of one loop would end the others
  Object.assign(waiting, { return: undefined });
  await Promise.all(Array.from({ length: atOnce }, work));
  return { answers, allowed, differences };
}

interface Clients extends Disposable {
  /** Calls both clients, on new connections if `isFresh`. */
  ask(id: string, isFresh: boolean): Promise<{ readonly http1: Outcome; readonly fetch: Outcome }>;
}

function startClients({ port }: RawPeer): Clients {
  const base = `http://127.0.0.1:${port}/`;
  const ours = startClient();
  const pooled = Deno.createHttpClient({ http2: false });
  const fresh = Deno.createHttpClient({ http2: false, poolMaxIdlePerHost: 0 });
  return {
    ask: async (id, isFresh) => {
      if (isFresh) ours.client.doubt({ url: base, origin: "config", headers: {} });
      const [http1, byFetch] = await Promise.all([
        outcomeOf(() => ours.call(base + id, { method: "GET", body: undefined })),
        outcomeOf(async () => {
          const answer = await fetch(base + id, {
            ...{ client: isFresh ? fresh : pooled },
            redirect: "manual",
          });
          const { status, headers } = answer;
          return { status, headers, readRest: () => answer.bytes() };
        }),
      ]);
      return { http1, fetch: byFetch };
    },
    [Symbol.dispose]: () => {
      ours.client.close();
      pooled.close();
      fresh.close();
    },
  };
}

async function differenceOf(
  id: string,
  { text }: FuzzAnswer,
  clients: Clients,
): Promise<Difference | undefined> {
  for (let attempt = 0;; attempt++) {
    const outcomes = await clients.ask(id, attempt > 0);
    const difference = { text, ...outcomes };
    if (isSame(outcomes.http1, outcomes.fetch)) return undefined;
    if (attempt === tries || ruleOf(difference) !== undefined) return difference;
  }
}

function ruleOf(difference: Difference): string | undefined {
  return strictness.find(({ holds }) => holds(difference))?.name;
}

function isSame(one: Outcome, other: Outcome): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Answer {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readRest(): Promise<Uint8Array>;
}

async function outcomeOf(call: () => Promise<Answer>): Promise<Outcome> {
  let answer: Answer;
  try {
    answer = await call();
  } catch {
    return { type: "error" };
  }
  const { status } = answer;
  const headers = joined(answer.headers);
  try {
    return { type: "answer", status, headers, body: textOf(await answer.readRest()) };
  } catch {
    return { type: "body error", status, headers };
  }
}

function joined(headers: Iterable<[string, string]>): string {
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const former = lines.get(name);
    lines.set(name, former ? `${former}, ${value}` : value); // `fetch` leaves set-cookie apart
  }
  return [...lines].map(([name, value]) => `${name}: ${value}`).sort().join("\n");
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
