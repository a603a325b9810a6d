import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { type ProperAnswer, properAnswer } from "./proper_answer.ts";
import { RawConnection } from "./raw_connection.ts";

/** One request, and the means to answer it wrongly. */
export interface Exchange {
  readonly connection: RawConnection;
  readonly format: FormatName;
  readonly streamed: boolean;
  readonly answer: ProperAnswer;
}

/** Answers one request as an upstream that is broken in one way; the connection is closed behind it. */
export type Inject = (exchange: Exchange) => Promise<void>;

/** A fault as an upstream has it. */
export interface Injection {
  readonly name: string;
  readonly inject?: Inject;
  /** The connection is not closed but reset: before its request is read, or behind what was injected. */
  readonly resets?: "at once" | "at last";
  /** The texts of its answers; default: the usual story. */
  readonly texts?: readonly string[];
}

/** A request as an upstream saw it. */
export interface Asked {
  readonly fault: string;
  readonly format: FormatName;
  readonly model: string;
}

export interface FaultUpstream extends AsyncDisposable {
  /** The address under which a format is spoken with a fault. */
  base(fault: string, format: FormatName): string;
  /** The address at which nobody listens. */
  readonly refusing: string;
  readonly asked: readonly Asked[];
}

/**
 * An upstream on a raw socket of the loopback: the first part of a path names its format, the
 * second its fault.
 */
export function startFaultUpstream(injections: readonly Injection[]): FaultUpstream {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<RawConnection>();
  const asked: Asked[] = [];
  let closed = false;
  const known = new Map(injections.map((injection) => [pathName(injection.name), injection]));
  const serving = (async () => {
    for await (const accepted of listener) {
      const connection = new RawConnection(accepted);
      open.add(connection);
      void serve(connection, known, asked)
        .catch(() => {}) // the peer has disconnected
        .finally(() => {
          open.delete(connection);
          connection.close();
        });
    }
  })();
  return {
    base: (fault, format) => `http://127.0.0.1:${listener.addr.port}/${format}/${pathName(fault)}`,
    refusing: refusingBase(),
    asked,
    [Symbol.asyncDispose]: async () => {
      if (closed) return;
      closed = true;
      listener.close();
      for (const connection of open) connection.close();
      await serving;
    },
  };
}

async function serve(
  connection: RawConnection,
  known: ReadonlyMap<string, Injection>,
  asked: Asked[],
): Promise<void> {
  const path = await connection.readPath();
  if (path === undefined) return; // only dialled
  const [, name, fault, ...rest] = path.split("/");
  const injection = known.get(fault);
  const format = formatNames.find((known) => known === name);
  if (!injection || !format) throw new Error(`The path ${path} names no format and fault`);
  if (injection.resets === "at once") return;
  const body = await connection.readBody();
  if (body === undefined) return;
  const wire = wireOf(`/${rest.join("/")}`, body);
  const { model, stream } = codecs[format].envelope(wire);
  asked.push({ fault: injection.name, format, model });
  await injection.inject?.({
    connection,
    format,
    streamed: stream,
    answer: properAnswer(codecs[format], wire, injection.texts),
  });
  if (!injection.resets) await connection.readLast();
}

/** A fault's name as a part of a path, of an id or of a model's name. */
export function pathName(fault: string): string {
  return fault.replaceAll(/\W+/g, "-");
}

/** A request as codecs take it. */
export function wireOf(address: string, body: string) {
  const { pathname, searchParams } = new URL(address, "http://upstream");
  return {
    path: pathname,
    search: Object.fromEntries(searchParams),
    headers: {},
    body: JSON.parse(body),
  };
}

function refusingBase(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${listener.addr.port}`;
}
