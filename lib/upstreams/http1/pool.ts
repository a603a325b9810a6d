import type { Connection } from "./connection.ts";
import { idleMsMax, idlePerHostMax } from "./limits.ts";

interface Idle {
  readonly connection: Connection;
  readonly since: number;
}

/** Idle connections by host. Each is read ahead, and dropped as soon as anything arrives. */
export class Pool {
  readonly #hosts = new Map<string, Idle[]>();
  #sweep: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** The connection that was used last, so that the others can expire. */
  take(host: string): Connection | undefined {
    const idle = this.#hosts.get(host)?.pop();
    if (!idle) return undefined;
    if (performance.now() - idle.since < idleMsMax) return idle.connection.reuse();
    idle.connection.close();
    this.drop(host); // the others are older
    return undefined;
  }

  release(host: string, connection: Connection): void {
    const idle = this.#hosts.get(host) ?? [];
    if (this.#isClosed || idle.length >= idlePerHostMax) return connection.close();
    this.#hosts.set(host, idle);
    idle.push({ connection, since: performance.now() });
    connection.watch(() => this.#discard(host, connection));
    this.#sweep ??= this.#sweepLater();
  }

  /** Closes the idle connections to a host; those to other addresses than `kept`, if given. */
  drop(host: string, kept: readonly string[] = []): void {
    const idle = this.#hosts.get(host) ?? [];
    const left = idle.filter(({ connection }) => kept.includes(connection.address));
    for (const { connection } of idle) {
      if (!kept.includes(connection.address)) connection.close();
    }
    this.#keep(host, left);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#sweep);
    for (const host of [...this.#hosts.keys()]) this.drop(host);
  }

  #discard(host: string, connection: Connection): void {
    connection.close();
    const idle = this.#hosts.get(host) ?? [];
    this.#keep(host, idle.filter((each) => each.connection !== connection));
  }

  #keep(host: string, idle: Idle[]): void {
    if (idle.length > 0) this.#hosts.set(host, idle);
    else this.#hosts.delete(host);
  }

  #sweepLater(): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => this.#sweepNow(), idleMsMax);
    Deno.unrefTimer(Number(timer));
    return timer;
  }

  #sweepNow(): void {
    const since = performance.now() - idleMsMax;
    for (const [host, idle] of [...this.#hosts]) {
      for (const each of idle) if (each.since <= since) each.connection.close();
      this.#keep(host, idle.filter((each) => each.since > since));
    }
    this.#sweep = this.#hosts.size > 0 ? this.#sweepLater() : undefined;
  }
}
