/** A proxy that opens tunnels (RFC 9110, 9.3.6) to ports of the loopback. */
export function startConnectProxy(): { readonly port: number; readonly tunnels: string[] } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const tunnels: string[] = [];
  const serve = async (client: Deno.Conn) => {
    const bytes = new Uint8Array(4_096);
    const head = new TextDecoder().decode(bytes.subarray(0, await client.read(bytes) ?? 0));
    const [, host, port] = /^CONNECT (\S+):(\d+) /.exec(head) ?? [];
    const [, auth] = /^proxy-authorization: Basic (\S+)/im.exec(head) ?? [];
    tunnels.push(`${host} as ${atob(auth ?? "")}`);
    const upstream = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    await client.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
    const ended = () => {};
    client.readable.pipeTo(upstream.writable).catch(ended);
    upstream.readable.pipeTo(client.writable).catch(ended);
  };
  (async () => {
    for await (const client of listener) serve(client).catch(() => client.close());
  })();
  return { port: (listener.addr as Deno.NetAddr).port, tunnels };
}
