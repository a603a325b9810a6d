import Stripe from "stripe";

/** A fake Stripe server: the endpoints that its SDK calls, and methods that simulate payers. */
export interface FakeStripe {
  readonly config: {
    readonly secretKey: string;
    readonly webhookSecret: string;
    readonly apiBase: string;
  };
  /** All events so far, oldest first, as `GET /v1/events` has them. */
  readonly events: readonly FakeEvent[];
  /** The paths of all requests. */
  readonly asked: readonly string[];
  /** The parameters of each session's creation. */
  readonly created: readonly URLSearchParams[];
  /** While set, every request is answered with this status. */
  failure?: number;
  /** Awaited between computing an answer and sending it. */
  gate?: () => Promise<void>;
  /** Creates a session of another application. */
  readonly begin: (fields?: Partial<FakeSession>) => FakeSession;
  readonly session: (id: string) => FakeSession;
  /** Oldest first. */
  readonly sessionIds: () => readonly string[];
  readonly pay: (id: string) => FakeEvent;
  /** Completes the session by a delayed payment method. */
  readonly order: (id: string) => FakeEvent;
  readonly arrive: (id: string) => FakeEvent;
  readonly bounce: (id: string) => FakeEvent;
  readonly expire: (id: string) => FakeEvent;
  readonly refund: (id: string, cents: number) => FakeEvent;
  readonly failRefund: (id: string, cents: number) => FakeEvent;
  readonly dispute: (id: string, cents: number, status?: string) => FakeEvent;
  readonly decide: (id: string, status: string) => FakeEvent;
  readonly forget: (id: string) => void;
  readonly close: () => Promise<void>;
}

export interface FakeSession {
  readonly id: string;
  object: "checkout.session";
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid";
  amount_total: number;
  currency: string;
  url: string | null;
  client_reference_id: string | null;
  payment_intent: string | null;
}

export interface FakeEvent {
  readonly id: string;
  readonly object: "event";
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: object };
}

interface FakeIntent {
  readonly id: string;
  readonly object: "payment_intent";
  status: string;
  latest_charge: string | null;
}

interface FakeCharge {
  readonly id: string;
  readonly object: "charge";
  readonly payment_intent: string;
  readonly amount: number;
  readonly currency: string;
  amount_refunded: number;
  disputed: boolean;
}

interface FakeDispute {
  readonly id: string;
  readonly object: "dispute";
  readonly charge: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly balance_transactions: readonly { readonly amount: number }[];
  status: string;
}

interface World {
  readonly sessions: Map<string, FakeSession>;
  readonly intents: Map<string, FakeIntent>;
  readonly charges: Map<string, FakeCharge>;
  readonly disputes: FakeDispute[];
  readonly events: FakeEvent[];
  readonly now: () => number;
  next: number;
}

const secretKey = "sk_test_fake";
const webhookSecret = "whsec_fake";

/** Serves it at a free port. */
export function serveFakeStripe(now: () => number): FakeStripe {
  const world: World = {
    sessions: new Map(),
    intents: new Map(),
    charges: new Map(),
    disputes: [],
    events: [],
    now,
    next: 1,
  };
  const asked: string[] = [];
  const created: URLSearchParams[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const fake: FakeStripe = {
    config: { secretKey, webhookSecret, apiBase: `http://127.0.0.1:${server.addr.port}` },
    events: world.events,
    asked,
    created,
    begin: (fields) => begin(world, fields),
    session: (id) => known(world.sessions, id),
    sessionIds: () => [...world.sessions.keys()],
    forget: (id) => void world.sessions.delete(id),
    ...happenings(world),
    close: () => server.shutdown(),
  };
  return fake;

  async function answer(request: Request): Promise<Response> {
    const response = await answerNow(request);
    await fake.gate?.();
    return response;
  }

  async function answerNow(request: Request): Promise<Response> {
    const url = new URL(request.url);
    asked.push(url.pathname);
    if (fake.failure) return refusal(fake.failure, "api_error");
    if (request.headers.get("authorization") !== `Bearer ${secretKey}`) {
      return refusal(401, "invalid_api_key");
    }
    const form = new URLSearchParams(request.method === "POST" ? await request.text() : "");
    if (request.method === "POST") created.push(form);
    return route(world, request.method, url, form) ?? refusal(404, "resource_missing");
  }
}

/** A header as Stripe signs it, for a delivery at `atMs`. */
export async function signed(payload: string, atMs: number, secret = webhookSecret) {
  return await new Stripe(secretKey).webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    timestamp: Math.floor(atMs / 1_000),
  });
}

function route(
  world: World,
  method: string,
  { pathname, searchParams }: URL,
  form: URLSearchParams,
): Response | undefined {
  const [, , resource, kind, id] = pathname.split("/");
  if (resource === "events") return list(eventsFor(world, searchParams), searchParams);
  if (resource === "disputes") {
    const charge = searchParams.get("charge");
    return list(world.disputes.filter((one) => one.charge === charge), searchParams);
  }
  if (resource !== "checkout" || kind !== "sessions") return undefined;
  if (method === "POST") return Response.json(begin(world, readSession(form)));
  if (id === undefined) {
    const intent = searchParams.get("payment_intent");
    const found = [...world.sessions.values()].filter((one) => one.payment_intent === intent);
    return list(found, searchParams);
  }
  const session = world.sessions.get(id);
  return session && Response.json(expanded(world, session, searchParams));
}

/** Replaces objects that the request does not expand by their ids, as Stripe does. */
function expanded(world: World, session: FakeSession, parameters: URLSearchParams): object {
  const expand = [...parameters].filter(([name]) => name.startsWith("expand")).map(([, path]) =>
    path
  );
  const intent = world.intents.get(session.payment_intent ?? "");
  if (!intent || !expand.includes("payment_intent.latest_charge")) return session;
  const charge = world.charges.get(intent.latest_charge ?? "") ?? null;
  return { ...session, payment_intent: { ...intent, latest_charge: charge } };
}

function eventsFor(world: World, parameters: URLSearchParams): FakeEvent[] {
  const types = [...parameters].filter(([name]) => name.startsWith("types")).map(([, type]) =>
    type
  );
  const since = Number(parameters.get("created[gte]") ?? 0);
  return world.events.filter(({ type, created }) => types.includes(type) && created >= since)
    .toReversed();
}

function list<Item extends { readonly id: string }>(
  items: readonly Item[],
  parameters: URLSearchParams,
): Response {
  const limit = Math.min(Number(parameters.get("limit") ?? 10), 100);
  const after = items.findIndex(({ id }) => id === parameters.get("starting_after"));
  const data = items.slice(after + 1, after + 1 + limit);
  const more = after + 1 + limit < items.length;
  return Response.json({ object: "list", data, has_more: more, url: "/v1/list" });
}

function refusal(status: number, code: string): Response {
  const error = { type: "invalid_request_error", code, message: `refused: ${code}` };
  return Response.json({ error }, { status });
}

function readSession(form: URLSearchParams): Partial<FakeSession> {
  return {
    amount_total: Number(form.get("line_items[0][price_data][unit_amount]")),
    currency: form.get("line_items[0][price_data][currency]") ?? "",
    client_reference_id: form.get("client_reference_id"),
  };
}

function begin(world: World, fields: Partial<FakeSession> = {}): FakeSession {
  const id = `cs_test_${world.next++}`;
  const session: FakeSession = {
    id,
    object: "checkout.session",
    status: "open",
    payment_status: "unpaid",
    amount_total: 1_000,
    currency: "usd",
    url: `https://checkout.example.com/${id}`,
    client_reference_id: null,
    payment_intent: null,
    ...fields,
  };
  world.sessions.set(session.id, session);
  return session;
}

type Happening =
  | "pay"
  | "order"
  | "arrive"
  | "bounce"
  | "expire"
  | "refund"
  | "failRefund"
  | "dispute"
  | "decide";

function happenings(world: World): Pick<FakeStripe, Happening> {
  return {
    pay: (id) => tell(world, "checkout.session.completed", paid(world, complete(world, id))),
    order: (id) => tell(world, "checkout.session.completed", complete(world, id)),
    arrive: (id) =>
      tell(
        world,
        "checkout.session.async_payment_succeeded",
        paid(world, known(world.sessions, id)),
      ),
    bounce: (id) => {
      const session = known(world.sessions, id);
      intentOf(world, session).status = "requires_payment_method";
      return tell(world, "checkout.session.async_payment_failed", session);
    },
    expire: (id) => {
      const session = known(world.sessions, id);
      Object.assign(session, { status: "expired", url: null });
      return tell(world, "checkout.session.expired", session);
    },
    refund: (id, cents) => {
      const charge = chargeOf(world, id);
      charge.amount_refunded += cents;
      return tell(world, "charge.refunded", charge);
    },
    failRefund: (id, cents) => {
      const charge = chargeOf(world, id);
      charge.amount_refunded -= cents;
      const refund = { id: `re_${world.next++}`, object: "refund", amount: cents };
      return tell(world, "refund.failed", { ...refund, payment_intent: charge.payment_intent });
    },
    dispute: (id, cents, status = "needs_response") => {
      const charge = chargeOf(world, id);
      charge.disputed = true;
      const dispute: FakeDispute = {
        id: `du_${world.next++}`,
        object: "dispute",
        charge: charge.id,
        payment_intent: charge.payment_intent,
        amount: cents,
        balance_transactions: [{ amount: -cents }],
        status,
      };
      world.disputes.push(dispute);
      return tell(world, "charge.dispute.created", dispute);
    },
    decide: (id, status) => {
      const { id: charge } = chargeOf(world, id);
      const dispute = world.disputes.findLast((one) => one.charge === charge);
      if (!dispute) throw new Error(`no dispute of ${id}`);
      dispute.status = status;
      return tell(world, "charge.dispute.closed", dispute);
    },
  };
}

function complete(world: World, id: string): FakeSession {
  const session = known(world.sessions, id);
  const intent = `pi_${world.next++}`;
  world.intents.set(intent, {
    id: intent,
    object: "payment_intent",
    status: "processing",
    latest_charge: null,
  });
  return Object.assign(session, { status: "complete", url: null, payment_intent: intent });
}

function paid(world: World, session: FakeSession): FakeSession {
  const intent = intentOf(world, session);
  const charge: FakeCharge = {
    id: `ch_${world.next++}`,
    object: "charge",
    payment_intent: intent.id,
    amount: session.amount_total,
    currency: session.currency,
    amount_refunded: 0,
    disputed: false,
  };
  world.charges.set(charge.id, charge);
  Object.assign(intent, { status: "succeeded", latest_charge: charge.id });
  return Object.assign(session, { payment_status: "paid" });
}

function intentOf(world: World, { payment_intent }: FakeSession): FakeIntent {
  return known(world.intents, payment_intent ?? "");
}

function chargeOf(world: World, sessionId: string): FakeCharge {
  const intent = intentOf(world, known(world.sessions, sessionId));
  return known(world.charges, intent.latest_charge ?? "");
}

/** Records an event with a snapshot of its object. */
function tell(world: World, type: string, object: object): FakeEvent {
  const event = {
    id: `evt_${world.next++}`,
    object: "event",
    type,
    created: Math.floor(world.now() / 1_000),
    data: { object: structuredClone(object) },
  } as const;
  world.events.push(event);
  return event;
}

function known<Value>(map: ReadonlyMap<string, Value>, id: string): Value {
  const value = map.get(id);
  if (value === undefined) throw new Error(`no such object: ${id}`);
  return value;
}
