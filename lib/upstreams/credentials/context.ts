import type { Origin } from "../../store/mod.ts";
import type { Signing } from "../surfaces/mod.ts";
import { type Ask, unusable } from "./ask.ts";
import type { Expiring } from "./renewed.ts";

/** The cloud identity of the gateway's machine. */
export interface Machine {
  /** Variables that clouds set, such as `AWS_ROLE_ARN`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** True if upstreams added in the console may use it, too. */
  readonly isForAll: boolean;
  /** Absent: the file system's. */
  readonly readFile?: (path: string) => Promise<string>;
}

/** The services and settings with which a source gets a token or keys. */
export interface SourceContext {
  readonly ask: Ask;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly machine: Machine;
  /** Of the upstream: addresses and files of a configured one need no check. */
  readonly origin: Origin;
  readonly signing?: Signing;
  /** The scope of Entra's tokens. */
  readonly scope?: string;
}

/** Gets what one kind of source gives. */
export type Get<Source, Value> = (
  source: Source,
  context: SourceContext,
) => Promise<Expiring<Value>>;

/** The machine's identity. Throws if the operator does not allow it to this upstream. */
export function machineOf({ machine, origin }: SourceContext): Machine {
  if (origin === "config" || machine.isForAll) return machine;
  throw unusable(
    "This credential is the identity of the gateway's machine: declare the upstream in the configuration file, or set allowMachineIdentity there",
  );
}

/** A variable of the machine. Throws if it is not set. */
export function variableOf(name: string, context: SourceContext): string {
  const value = machineOf(context).variables[name];
  if (value) return value;
  throw unusable(`The environment variable ${name} is not set on the gateway's machine`);
}

/**
 * The text of a token file, read each time because the cloud replaces it. An administrator may not
 * name a file: it would be sent to an address of their choice.
 */
export async function tokenFile(path: string, context: SourceContext): Promise<string> {
  const { origin, machine } = context;
  if (origin !== "config") {
    throw unusable("Only an upstream of the configuration file may name a token file");
  }
  return await readToken(path, machine);
}

/** The text of a file that a variable of the machine names. */
export async function variableFile(name: string, context: SourceContext): Promise<string> {
  return await readToken(variableOf(name, context), context.machine);
}

async function readToken(path: string, { readFile = Deno.readTextFile }: Machine): Promise<string> {
  try {
    return (await readFile(path)).trim();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : "unknown";
    throw unusable(`Cannot read the token file (${reason})`);
  }
}
