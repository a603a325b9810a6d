import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";

/** The request of a scenario, for any SDK. */
export interface Asking {
  readonly model: string;
  readonly system?: string;
  readonly tools?: boolean;
  /** The tool that must be called; `true`: some tool. */
  readonly forced?: boolean | string;
  readonly schema?: boolean;
  /** The description of that schema, in the formats with a place for it. */
  readonly describes?: string;
  readonly thinks?: boolean;
  /** Asks to see thoughts, and not how hard to think. */
  readonly showsThoughts?: boolean;
  /** Rather fails than loses anything. */
  readonly strict?: boolean;
}

/** An answer as the SDK's caller reads it. */
export interface SdkAnswer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  readonly finish: "stop" | "tools" | "other";
  readonly usage: Used;
  /** The pages that the text cites; absent if the program does not report them. */
  readonly sources?: readonly string[];
  /** PNGs in base64, as above. */
  readonly pictures?: readonly string[];
}

/** Token counts by the meaning that all formats share: totals, and what is in them. */
export interface Used {
  readonly input: number;
  readonly cacheRead: number;
  /** Absent in the format that does not state it. */
  readonly cacheWrite?: number;
  readonly output: number;
  readonly reasoning: number;
}

/** A dialogue that keeps its history as an application written with this SDK would. */
export interface Conversation {
  say(text: string, imagePng?: string): void;
  /** Answers the calls of the last answer, in order. */
  answerCalls(results: readonly ToolAnswer[]): void;
  ask(way: Way): Promise<SdkAnswer>;
  /** Streams until `signal` aborts it; `onText` hears of the first words. */
  listen(signal: AbortSignal, onText: () => void): Promise<void>;
}

export interface Way {
  readonly stream: boolean;
  /** Asks another model than the one that the conversation began with. */
  readonly model?: string;
}

export interface ToolAnswer {
  readonly text: string;
  /** Only the formats with pictures in tool results send it. */
  readonly imagePng?: string;
  /** Another way in which clients of generate-content wrap the text. */
  readonly response?: JsonObject;
}

export interface Connection {
  readonly base: string;
  readonly key: string;
  readonly fetch: typeof fetch;
}

export interface MatrixClient {
  readonly format: FormatName;
  readonly showsImagesInResults: boolean;
  /** The prefix of its models' names: some SDKs offer reasoning or images by name alone. */
  readonly modelPrefix?: string;
  start(asking: Asking, connection: Connection): Conversation;
  /** The status, where the error is of the class that the SDK has for it. */
  statusOf(error: unknown): number | undefined;
  /** The gateway's request id, if the SDK's error has it. */
  requestIdOf(error: unknown): string | undefined;
}
