import { findProgram } from "./programs.ts";

/** The path of OpenSSL, or undefined if it is not installed. */
export const opensslPath = findProgram("openssl");

if (opensslPath === undefined) {
  console.log(
    "OpenSSL is not installed (apt-get install openssl): tests of certificates are skipped",
  );
}

/** The files of a key and its certificate. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

const keyOptions = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Makes a certificate authority in a folder. */
export async function makeAuthority(folder: string, name: string): Promise<Certificate> {
  const { key, certificate } = filesOf(folder, name);
  const use = ["-addext", "keyUsage=keyCertSign"];
  const files = ["-keyout", key, "-out", certificate];
  await openssl(["req", "-x509", ...keyOptions, ...files, "-subj", `/CN=${name}`, ...use]);
  return { key, certificate };
}

/** Makes a certificate of a server, such as for `DNS:localhost`, which is valid for days from now. */
export async function makeCertificate(
  folder: string,
  { authority, names, days }: {
    readonly authority: Certificate;
    readonly names: string;
    readonly days: number;
  },
): Promise<Certificate> {
  const { key, certificate } = filesOf(folder, crypto.randomUUID());
  const request = `${key}.request`;
  await openssl(["req", ...keyOptions, "-keyout", key, "-out", request, "-subj", "/CN=server"]);
  await Deno.writeTextFile(`${key}.names`, `subjectAltName=${names}`);
  const signer = ["-CA", authority.certificate, "-CAkey", authority.key, "-CAcreateserial"];
  const more = ["-days", `${days}`, "-extfile", `${key}.names`];
  await openssl(["x509", "-req", "-in", request, "-out", certificate, ...signer, ...more]);
  return { key, certificate };
}

function filesOf(folder: string, name: string): Certificate {
  return { key: `${folder}/${name}.key`, certificate: `${folder}/${name}.pem` };
}

async function openssl(args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(opensslPath ?? "openssl", { args: [...args] })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
