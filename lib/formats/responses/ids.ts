import { digest, ownIdMark, safeToolCallId, type ToolCallIdRule } from "../../canonical/mod.ts";

/** Ids of items that no vendor knows: recognised when a caller replays them, and left out. */
const madeHere = new RegExp(`^[a-z]+${ownIdMark}`);

export function isMadeHere(id: string): boolean {
  return madeHere.test(id);
}

/** The response of an item that this gateway made; undefined for a vendor's id. */
export function answerOfMadeItem(id: string): string | undefined {
  const suffix = new RegExp(`^[a-z]+${ownIdMark}([0-9A-Z]+)_\\d+$`).exec(id)?.[1];
  return suffix && `resp_${suffix}`;
}

/** New ids of one answer, derived from its request id and a counter. */
export class Ids {
  readonly #suffix: string;
  #count = 0;

  constructor(requestId: string) {
    this.#suffix = requestId.replace(/^req_/, "");
  }

  response(): string {
    return `resp_${this.#suffix}`;
  }

  item(prefix: string): string {
    return `${prefix}${ownIdMark}${this.#suffix}_${this.#count++}`;
  }

  call(): string {
    return `call_${this.#suffix}_${this.#count++}`;
  }
}

/** The id of a replayed reasoning item that lost its own. */
export function reasoningIdOf(data: string): string {
  return `rs_${digest(data).slice(0, 48)}`;
}

/** The vendor refuses longer ids, although its own backends have made some (69 and 116 characters seen). */
const callIdRule: ToolCallIdRule = { pattern: /^[\x21-\x7e]+$/, charsMax: 64, prefix: "call_" };

export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** Tool names that the vendor accepts. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;
