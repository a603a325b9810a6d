import type { JsonObject, Note } from "../canonical/mod.ts";
import type { AnswerReader, ReportedState } from "../formats/state_codec.ts";
import type { Call } from "../http/call.ts";
import { answerHeaders, gatewayErrorOf } from "../http/errors.ts";
import { streamHeaders } from "../http/respond.ts";
import { sseText } from "../http/stream/sse.ts";
import { newOrderedId } from "../store/kv/id.ts";
import type { ConversationPage, ExchangeToStore, StoredResponse } from "../store/responses/mod.ts";
import { keepConversation } from "./conversations.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import {
  type Exchange,
  exchangeIdOf,
  type History,
  namedItems,
  unsavedExchange,
} from "./exchange.ts";
import { type Owner, sealsIn } from "./history.ts";

interface KeepingPlan {
  readonly requestId: string;
  readonly owner: Owner;
  readonly reported: ReportedState;
  /** The call's own items, references resolved. */
  readonly input: readonly JsonObject[];
  /** The length of `input` as JSON text, in characters. */
  readonly inputLength: () => number;
  readonly history: History;
  readonly notes: readonly Note[];
}

/** The most output items of one answer that are indexed by their ids. */
const itemIdsMax = 64;
/** The most items on one page of a conversation: its record lists all their ids. */
export const pageItemsMax = 500;

/** Reads a call's answer while it is sent, and stores it before the end of the answer is sent. */
export class Keeping {
  readonly plan: KeepingPlan;
  readonly #deps: ResponsesDeps;
  #reader?: AnswerReader;
  #upstreamId?: string;

  constructor(deps: ResponsesDeps, plan: KeepingPlan) {
    this.#deps = deps;
    this.plan = plan;
  }

  get notes(): readonly Note[] {
    return this.plan.notes;
  }

  /** The final answer; undefined until the end, or if the call failed. */
  get answer(): JsonObject | undefined {
    return this.#reader?.answer;
  }

  /** The latest whole response object in the stream. */
  get latest(): JsonObject | undefined {
    return this.#reader?.latest;
  }

  /** Creates a reader for the answer of another attempt, which replaces the one before. */
  attempt(isSteerable = false): AnswerReader {
    const { owner, reported } = this.plan;
    return this.#reader = owner.state.answerReader(reported, isSteerable);
  }

  /** The answer to a call that only prepares the next one, kept like any other. */
  async prepared({ startedAtMs }: Pick<Call, "startedAtMs">, body: JsonObject): Promise<Response> {
    const { owner: { state, accountId }, reported, requestId, inputLength } = this.plan;
    if (reported.store) this.#deps.freeWrites.take(accountId, inputLength());
    const id = `resp_${exchangeIdOf(requestId)}`;
    const reader = this.attempt();
    const events = state.prepared(body, { ...reported, id }, startedAtMs)
      .map((event) => reader.push(event));
    await this.keep(undefined);
    const headers = { ...answerHeaders(requestId), ...streamHeaders.sse };
    return new Response(events.map(sseText).join(""), { headers });
  }

  /**
   * Stores a final answer, for later calls to continue from. Never throws: reports errors to the
   * operator.
   */
  async keep(upstreamId: string | undefined): Promise<void> {
    this.#upstreamId = upstreamId;
    const { answer } = this;
    if (!answer || this.plan.reported.background) return;
    try {
      const exchange = this.exchangeOf(answer);
      this.#remember(answer, exchange?.response);
      if (exchange) await this.#deps.exchanges.add(exchange);
      if (exchange?.page) await keepConversation(this.#deps, this.plan.owner, exchange.page);
    } catch (thrown) {
      this.#deps.report(gatewayErrorOf(thrown), this.plan.requestId);
    }
  }

  /** Keeps the answer in the memory of its socket, if it has one. */
  #remember(answer: JsonObject, saved: StoredResponse | undefined): void {
    const { memory } = this.#deps;
    const { owner: { accountId, state }, history, input, inputLength } = this.plan;
    const id = state.answerId(answer);
    if (!memory || id === undefined) return;
    const output = state.outputItems(answer);
    const before = history.length ?? JSON.stringify(history.items).length;
    const length = before + inputLength() + JSON.stringify(output).length;
    const own = sealsIn(state, [{ input, answer, by: this.#upstreamId }]);
    const grown: History = {
      items: [...history.items, ...input, ...output],
      seals: new Map([...history.seals, ...own]),
      length,
      ...(saved ? { stored: [...saved.before, saved.exchange] } : { stored: [], isUnsaved: true }),
    };
    memory.keep({ id, accountId, history: grown, length });
  }

  /**
   * Builds the stored form of an answer. Returns undefined if it is too large or need not be
   * stored.
   */
  exchangeOf(answer: JsonObject): ExchangeToStore | undefined {
    const { owner, reported, requestId, history } = this.plan;
    const input = history.isUnsaved ? [...history.items, ...this.plan.input] : this.plan.input;
    if (!reported.store && !history.conversation) return undefined;
    const by = this.#upstreamId;
    const exchange: Exchange = { input, answer, ...(by !== undefined && { by }) };
    const { exchangeBytesMax } = this.#deps.settings;
    const kept = unsavedExchange(exchangeIdOf(requestId), exchange, exchangeBytesMax);
    if (!kept) return undefined;
    const id = owner.state.answerId(answer);
    const response = reported.store && id !== undefined
      ? this.#response(id, kept, answer)
      : undefined;
    const page = this.#page(kept, exchange, id);
    if (!response && !page) return undefined;
    return {
      exchange: kept,
      ...(response && { response }),
      ...(page && { page }),
      retentionMs: this.#deps.settings.retentionMs,
    };
  }

  #response(id: string, exchange: ExchangeToStore["exchange"], answer: JsonObject): StoredResponse {
    const { owner: { accountId, state }, reported: { conversationId }, history } = this.plan;
    const nowMs = this.#deps.now();
    const ids = state.outputItems(answer).map((item) => item.id);
    return {
      id,
      accountId,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + this.#deps.settings.retentionMs,
      exchange,
      before: history.stored,
      ...(conversationId !== undefined && { conversationId }),
      itemIds: ids.filter((id) => isName(id)).filter((id) => state.answerOfItem(id) === undefined)
        .slice(0, itemIdsMax),
    };
  }

  #page(
    kept: ExchangeToStore["exchange"],
    exchange: Exchange,
    responseId: string | undefined,
  ): ConversationPage | undefined {
    const { owner: { accountId, state }, history: { conversation } } = this.plan;
    if (!conversation) return undefined;
    const nowMs = this.#deps.now();
    return {
      id: newOrderedId(nowMs),
      accountId,
      conversationId: conversation.id,
      exchange: { id: kept.id, bytes: kept.bytes },
      itemIds: namedItems(state, exchange, kept).map(({ id }) => id).slice(0, pageItemsMax),
      removed: [],
      ofResponse: true,
      ...(responseId !== undefined && { responseId }),
      keptAtMs: nowMs,
    };
  }
}

const idCharsMax = 200;

function isName(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= idCharsMax;
}
