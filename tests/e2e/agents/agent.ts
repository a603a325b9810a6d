import type { FormatName } from "../../../lib/canonical/mod.ts";
import type { AgentId } from "../../../tools/agents.ts";
import type { ToolCall } from "../../strict/small_model.ts";

/** The connection settings of a client, as in the specification's table of clients. */
export interface Setting {
  readonly base: string;
  readonly key: string;
  readonly model: string;
}

/** A coding agent: its settings for a gateway, its non-interactive command, and its tool names. */
export interface Agent {
  readonly name: string;
  readonly package: AgentId;
  /** The format that it speaks. */
  readonly format: FormatName;
  /** The name under which the gateway serves it a model. */
  readonly model: string;
  /** True if it requests reasoning. */
  readonly thinks: boolean;
  /** True if it makes its calls on a WebSocket. */
  readonly usesSocket?: true;
  /** The upstream of its own format whose signatures its settings cannot carry. */
  readonly forgets?: string;
  /** All that points it at the gateway. */
  readonly settings: (setting: Setting) => Settings;
  /** Keeps it from what has nothing to do with the gateway: telemetry, updates, questions. */
  readonly quiet: Readonly<Record<string, string>>;
  /** The command line for one task. */
  readonly args: (prompt: string) => readonly string[];
  readonly hands: Hands;
}

export interface Settings {
  readonly env: Readonly<Record<string, string>>;
  /** Texts by their path in the home. */
  readonly files: Readonly<Record<string, string>>;
}

/** The calls by which an agent's own tools work; paths are absolute. */
export interface Hands {
  readonly read: (path: string) => ToolCall;
  readonly write: (path: string, content: string) => ToolCall;
  readonly run: (command: string) => ToolCall;
}
