import { basename } from "node:path";

/** A registry of npm with releases of one package; it refers to another registry for all others. */
export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
}

/** `tarballs` has the path of each version's. */
export function startNpmRegistry(
  name: string,
  tarballs: Readonly<Record<string, string>>,
  others: string,
): NpmRegistry {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === `/${name}`) return Response.json(await described());
    const tarball = Object.values(tarballs).find((path) => pathname.endsWith(basename(path)));
    if (tarball) return new Response(await Deno.readFile(tarball));
    return new Response(null, {
      status: 302,
      headers: { location: others.replace(/\/$/, "") + pathname },
    });
  }
  async function described() {
    const versions = await Promise.all(
      Object.entries(tarballs).map(async ([version, path]) => {
        const { stdout } = await new Deno.Command("tar", {
          args: ["-xzOf", path, "package/package.json"],
        }).output();
        const manifest = JSON.parse(new TextDecoder().decode(stdout));
        const digest = new Uint8Array(
          await crypto.subtle.digest("SHA-512", await Deno.readFile(path)),
        );
        const integrity = `sha512-${digest.toBase64()}`;
        const tarball = `${url}/${name}/-/${basename(path)}`;
        return [version, { ...manifest, dist: { tarball, integrity } }] as const;
      }),
    );
    const latest = versions.at(-1)?.[0];
    return { name, "dist-tags": { latest }, versions: Object.fromEntries(versions) };
  }
  return { url, [Symbol.asyncDispose]: () => server.shutdown() };
}
