import { assert } from "@std/assert";
import { type Certificate, makeAuthority, makeCertificate } from "../certificates.ts";
import { freePort } from "../e2e/server_process.ts";
import { until } from "../waiting.ts";

const root = new URL("../../", import.meta.url).pathname;

/** A proxy with the file of `deploy/` in front of a server. */
export interface Proxy extends AsyncDisposable {
  /** `https://localhost:PORT` */
  readonly base: string;
  readonly httpPort: number;
  /** Requests a path over TLS. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** The file of the certificate that signed the proxy's. */
  readonly certificate: string;
}

export const proxyNames = ["nginx", "caddy"] as const;
export type ProxyName = typeof proxyNames[number];

interface Places {
  readonly folder: string;
  readonly port: number;
  readonly httpPort: number;
  readonly gateway: string;
  readonly own: Certificate;
}

/** Writes the proxy's file with the addresses of a test, and returns the command that starts it. */
const prepared: Readonly<Record<ProxyName, (places: Places) => string[]>> = {
  nginx: ({ folder, port, httpPort, gateway, own }) => {
    const site = replaced("nginx.conf", [
      ["listen 80;\n  listen [::]:80;", `listen 127.0.0.1:${httpPort};`],
      [
        "listen 443 ssl http2;\n  listen [::]:443 ssl http2;",
        `listen 127.0.0.1:${port} ssl http2;`,
      ],
      ["/etc/ssl/tessera/fullchain.pem", own.certificate],
      ["/etc/ssl/tessera/privkey.pem", own.key],
      ["/var/log/nginx/tessera.log", `${folder}/access.log`],
      ["gateway.example.com", "localhost"],
      ["127.0.0.1:8000", gateway],
    ]);
    const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
    const user = Deno.uid() === 0 ? "user root;\n" : "";
    const main = `${user}daemon off;\npid ${folder}/pid;\nevents {}\nhttp {\n${temp}\n${site}\n}\n`;
    Deno.writeTextFileSync(`${folder}/nginx.conf`, main);
    return ["nginx", "-e", `${folder}/error.log`, "-c", `${folder}/nginx.conf`];
  },
  caddy: ({ folder, port, httpPort, gateway, own }) => {
    const file = replaced("Caddyfile", [
      [
        "{\n\tservers {",
        `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${httpPort}\n\tservers {`,
      ],
      [
        "gateway.example.com {",
        `https://localhost:${port} {\n\ttls ${own.certificate} ${own.key}`,
      ],
      ["127.0.0.1:8000", gateway],
    ]);
    Deno.writeTextFileSync(`${folder}/Caddyfile`, file);
    return ["caddy", "run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"];
  },
};

function replaced(name: string, changes: readonly (readonly [string, string])[]): string {
  let text = Deno.readTextFileSync(`${root}deploy/${name}`);
  for (const [from, to] of changes) {
    assert(text.includes(from), `deploy/${name} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Starts the proxy in front of a server, such as `127.0.0.1:8000`. */
export async function startProxy(name: ProxyName, gateway: string): Promise<Proxy> {
  const folder = await Deno.makeTempDir();
  const [port, httpPort] = [freePort(), freePort()];
  const authority = await makeAuthority(folder, "authority");
  const own = await makeCertificate(folder, { authority, names: "DNS:localhost", days: 2 });
  const [command, ...args] = prepared[name]({ folder, port, httpPort, gateway, own });
  const process = new Deno.Command(command, {
    args,
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = new Response(process.stderr).text();
  const { certificate } = authority;
  const client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(certificate)] });
  const base = `https://localhost:${port}`;
  const stop = async () => {
    client.close();
    process.kill("SIGTERM");
    await process.status;
    await Deno.remove(folder, { recursive: true });
    return await said;
  };
  const fetchFrom = (path: string, init: RequestInit = {}) => {
    const trusting: RequestInit & { readonly client: Deno.HttpClient } = { ...init, client };
    return fetch(base + path, trusting);
  };
  try {
    await until(() => isHealthy(fetchFrom), `${name} does not answer`, 15_000);
  } catch (error) {
    throw new Error(await stop(), { cause: error });
  }
  return {
    base,
    httpPort,
    fetch: fetchFrom,
    certificate,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}

async function isHealthy(fetchFrom: Proxy["fetch"]): Promise<boolean> {
  const response = await fetchFrom("/healthz").catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}
