import type { JsonObject } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import { withReadMembers } from "../json/mod.ts";
import {
  acceptedFrame,
  failedFrame,
  pendingFrame,
  type Steer,
  type SteerFault,
  steerItems,
  steersMax,
} from "./steer.ts";
import { type Create, type Outlet, SocketTurn } from "./turn.ts";

/** The socket of a lane. */
export interface LaneHost extends Outlet {
  /** Makes the call of a turn, when the socket has room for one more; settles at the call's end. */
  run(turn: SocketTurn): Promise<void>;
  /** The format's rules for stored inputs and outputs. */
  readonly state: StateCodec | undefined;
}

/** Responses that run one after the other. */
export class SocketLane {
  readonly name: string;
  readonly #host: LaneHost;
  readonly #queue: Create[] = [];
  #turn?: SocketTurn;
  #isBusy = false;
  /** Input for the running response, which ends early for it. */
  readonly #steers: Steer[] = [];
  /** Input that waits for the outputs of the response's calls. */
  #held?: { readonly previousId: string; readonly steers: readonly Steer[] } | undefined;

  constructor(name: string, host: LaneHost) {
    this.name = name;
    this.#host = host;
  }

  get turn(): SocketTurn | undefined {
    return this.#turn;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The number of calls that have not started. */
  get waiting(): number {
    return this.#queue.length;
  }

  add(create: Create): void {
    this.#queue.push(create);
    if (!this.#isBusy) void this.#runAll();
  }

  async #runAll(): Promise<void> {
    this.#isBusy = true;
    for (let next; (next = this.#queue.shift());) {
      const turn = this.#turn = new SocketTurn(this.#withHeld(next), this.name, this.#host);
      await this.#host.run(turn);
      this.#turn = undefined;
      releaseAll(turn.create.steers);
      const successor = this.#successorOf(turn);
      if (successor) this.#queue.unshift(successor);
      else next.release();
    }
    this.#isBusy = false;
  }

  /** Puts the input that waited for these outputs before them; gives it back if they are not sent. */
  #withHeld(create: Create): Create {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return create;
    if (create.read.body.previous_response_id !== held.previousId) {
      for (const steer of held.steers) this.#fail(steer, "response_not_active");
      return create;
    }
    const own = this.#host.state?.inputItems(create.read.body) ?? [];
    return steered(create, held.steers, [...itemsOf(held.steers), ...own]);
  }

  /** Answers to `response.steer` for the running response. Returns false if it is refused. */
  steer(steer: Omit<Steer, "items">): boolean {
    const items = steerItems(steer.input);
    const fault = !items ? "invalid_input" : this.#steerFault();
    if (fault || !items) {
      this.#fail(steer, fault ?? "invalid_input");
      return false;
    }
    this.#steers.push({ ...steer, items });
    this.#host.send(acceptedFrame({ ...steer, items }, this.#place(this.#turn)));
    this.#turn?.steering.request();
    return true;
  }

  #steerFault(): SteerFault | undefined {
    const body = this.#turn?.create.read.body ?? {};
    if (this.#steers.length >= steersMax) return "too_many_pending_steers";
    const isCompacting = body.context_management !== undefined && body.context_management !== null;
    const isConversation = body.conversation !== undefined && body.conversation !== null;
    return isCompacting || isConversation ? "steering_not_supported" : undefined;
  }

  /** The call for the input that came during a response; undefined without any, and if it waits for outputs. */
  #successorOf(turn: SocketTurn): Create | undefined {
    const steers = this.#steers.splice(0);
    if (steers.length === 0) return undefined;
    const { response, responseId: previousId } = turn;
    if (!response || previousId === undefined) {
      for (const steer of steers) this.#fail(steer, "successor_creation_failed", turn);
      return undefined;
    }
    const { state } = this.#host;
    const required = state?.requiredInput(state.outputItems(response)) ?? [];
    if (required.length === 0) {
      return { ...steered(turn.create, steers, itemsOf(steers), previousId), isSuccessor: true };
    }
    this.#held = { previousId, steers };
    for (const steer of steers) this.#host.send(pendingFrame(steer, required, this.#place(turn)));
  }

  #fail(steer: Omit<Steer, "items">, fault: SteerFault, turn = this.#turn): void {
    steer.release();
    this.#host.send(failedFrame(steer, fault, this.#place(turn)));
  }

  #place(turn: SocketTurn | undefined) {
    return { sequence_number: turn?.place ?? 0, lane: this.name };
  }

  /** Ends all that runs and all that waits. */
  close(): void {
    this.#turn?.cancel();
    for (const { release, steers } of this.#queue.splice(0)) {
      release();
      releaseAll(steers);
    }
    releaseAll([...this.#steers.splice(0), ...this.#held?.steers ?? []]);
    this.#held = undefined;
  }
}

function releaseAll(steers: readonly Steer[]): void {
  for (const { release } of steers) release();
}

function itemsOf(steers: readonly Steer[]): readonly JsonObject[] {
  return steers.flatMap(({ items }) => items);
}

/** The call with other input, some of it the steers'. */
function steered(
  create: Create,
  steers: readonly Steer[],
  input: readonly JsonObject[],
  previousId?: string,
): Create {
  const changes = { input, ...(previousId !== undefined && { previous_response_id: previousId }) };
  return { ...create, steers, read: withReadMembers(create.read, changes) };
}
