import type {
  CanonicalEvent,
  CanonicalRequest,
  Continuation,
  Part,
  ReasoningPart,
  ToolCallPart,
  Turn,
} from "../canonical/mod.ts";

/** The proofs of one step of a tool loop: of its reasoning, and of its first call. */
interface Step {
  readonly reasoning: readonly ReasoningPart[];
  readonly callContinuation?: Continuation;
  /** The full reasoning text before its calls, with or without proofs. */
  readonly words: string;
  readonly expiresAt: number;
  readonly chars: number;
}

interface MemoryLimits {
  readonly lifetimeMs: number;
  /** The most characters of proofs and reasoning to keep; the oldest are dropped first. */
  readonly charsMax: number;
}

const defaultLimits: MemoryLimits = { lifetimeMs: 60 * 60 * 1000, charsMax: 16 * 1024 * 1024 };

/**
 * Restores the proofs of a tool loop for callers whose format or client cannot carry them. Keeps
 * them in memory for a short time, by account and id of the step's first call. Best effort; it
 * restores only proofs that the upstream itself issued.
 */
export class ContinuationMemory {
  readonly #limits: MemoryLimits;
  readonly #now: () => number;
  readonly #steps = new Map<string, Step>();
  #chars = 0;

  constructor(now: () => number, limits: MemoryLimits = defaultLimits) {
    this.#now = now;
    this.#limits = limits;
  }

  /** Remembers the proofs of an answer that calls tools. */
  remember(accountId: string, parts: readonly Part[]): void {
    const call = parts.find((part) => part.type === "tool-call");
    if (!call || call.id === "") return;
    const thoughts = parts.slice(0, parts.indexOf(call)).filter(isReasoning);
    const reasoning = thoughts.filter(({ continuation }) => continuation);
    if (reasoning.length === 0 && !call.continuation) return;
    const words = wordsOf(thoughts);
    const kept = {
      reasoning,
      words,
      ...(call.continuation && { callContinuation: call.continuation }),
    };
    this.#add(`${accountId} ${call.id}`, {
      ...kept,
      expiresAt: this.#now() + this.#limits.lifetimeMs,
      chars: JSON.stringify(kept).length,
    });
  }

  /** Adds the remembered proofs that the request's turns lack; returns the same object if none. */
  restored(accountId: string, request: CanonicalRequest): CanonicalRequest {
    if (this.#steps.size === 0) return request;
    const turns = request.turns.map((turn) => this.#restoredTurn(accountId, turn));
    return turns.every((turn, index) => turn === request.turns[index])
      ? request
      : { ...request, turns };
  }

  #restoredTurn(accountId: string, turn: Turn): Turn {
    const call = turn.role === "assistant" && turn.parts.find((part) => part.type === "tool-call");
    const step = call && this.#find(`${accountId} ${call.id}`);
    if (!step || isProven(turn, step)) return turn;
    const spoken = turn.parts.filter(({ type }) =>
      type !== "reasoning" || step.reasoning.length === 0
    );
    const proven = spoken.map((part) => part === call ? withProof(call, step) : part);
    return { ...turn, parts: [...step.reasoning, ...proven] };
  }

  #find(key: string): Step | undefined {
    const step = this.#steps.get(key);
    if (!step || step.expiresAt > this.#now()) return step;
    this.#drop(key, step);
    return undefined;
  }

  #add(key: string, step: Step): void {
    const old = this.#steps.get(key);
    if (old) this.#drop(key, old);
    this.#steps.set(key, step);
    this.#chars += step.chars;
    for (const [oldest, entry] of this.#steps) {
      if (this.#chars <= this.#limits.charsMax && entry.expiresAt > this.#now()) break;
      this.#drop(oldest, entry);
    }
  }

  #drop(key: string, { chars }: Step): void {
    this.#steps.delete(key);
    this.#chars -= chars;
  }
}

/**
 * Returns true if a turn has its own proofs. The step's reasoning text without the issuer's proof
 * does not count: clients with open reasoning send back only the text.
 */
function isProven({ parts }: Turn, { reasoning, callContinuation, words }: Step): boolean {
  const proven = parts.filter(({ continuation }) => continuation);
  const issuer = (reasoning[0]?.continuation ?? callContinuation)?.issuer;
  const isShown = words !== "" && wordsOf(parts.filter(isReasoning)) === words &&
    proven.every((part) => isReasoning(part) && part.continuation?.issuer !== issuer);
  return proven.length > 0 && !isShown;
}

function isReasoning(part: Part): part is ReasoningPart {
  return part.type === "reasoning";
}

function wordsOf(thoughts: readonly ReasoningPart[]): string {
  return thoughts.map(({ text }) => text).join("\n\n");
}

function withProof(call: ToolCallPart, { callContinuation }: Step): ToolCallPart {
  return callContinuation ? { ...call, continuation: callContinuation } : call;
}

/** Collects the reasoning and tool calls of a stream for `ContinuationMemory.remember`. */
export class StepWatcher {
  readonly #parts = new Map<number, Part>();

  push(event: CanonicalEvent): void {
    const known = event.type === "part-delta" || event.type === "part-end"
      ? this.#parts.get(event.index)
      : undefined;
    if (event.type === "part-start" && !event.alternative && isKept(event.part)) {
      this.#parts.set(event.index, event.part);
    } else if (event.type === "part-delta" && known?.type === "reasoning") {
      this.#parts.set(event.index, { ...known, text: known.text + event.text });
    } else if (event.type === "part-end" && known && event.patch?.continuation) {
      this.#parts.set(event.index, { ...known, continuation: event.patch.continuation });
    }
  }

  get parts(): Part[] {
    return [...this.#parts.values()];
  }
}

function isKept({ type }: Part): boolean {
  return type === "reasoning" || type === "tool-call";
}
