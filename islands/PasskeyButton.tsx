import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../components/Icon.tsx";
import type { PasskeyRequest } from "../lib/console/sign_in/passkeys.ts";

export interface PasskeyProps {
  readonly request: PasskeyRequest;
  /** The address that the answer is posted to, with these fields. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** The text above the button; hidden along with it. */
  readonly lead?: string;
  readonly label: string;
  readonly failed: string;
  /** Shown if the browser has no passkeys; if absent, nothing is shown. */
  readonly unsupported?: string;
  /** Also offers passkeys in the autofill of the user name. */
  readonly conditional?: boolean;
}

/** Asks the browser for a passkey and posts its answer as a form. Hidden without a script. */
export default function PasskeyButton(props: PasskeyProps) {
  const { request, action, fields = {}, conditional = false } = props;
  const answer = useRef<HTMLInputElement>(null);
  const waiting = useRef<AbortController>();
  const [state, go] = useState<"ready" | "failed" | "unsupported">("ready");
  const ask = async (mediation?: "conditional") => {
    waiting.current?.abort();
    const { signal } = waiting.current = new AbortController();
    try {
      const text = await answerTo(request, { signal, mediation });
      if (answer.current === null) return;
      answer.current.value = text;
      answer.current.form?.submit();
    } catch {
      if (mediation === undefined && !signal.aborted) go("failed");
    }
  };
  useEffect(() => {
    if (!("PublicKeyCredential" in globalThis)) go("unsupported");
    else if (conditional) offerWith(() => ask("conditional"));
    return () => waiting.current?.abort();
  }, []);
  if (state === "unsupported") {
    return props.unsupported ? <p class="hint">{props.unsupported}</p> : null;
  }
  return (
    <form class="passkey" method="post" action={action}>
      {props.lead && <p class="or">{props.lead}</p>}
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input ref={answer} type="hidden" name="answer" />
      <button class="button" type="button" onClick={() => ask()}>
        <Icon name="fingerprint" />
        {props.label}
      </button>
      <p class="hint" role="status">{state === "failed" ? props.failed : ""}</p>
    </form>
  );
}

async function offerWith(offer: () => void): Promise<void> {
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) offer();
}

async function answerTo(
  request: PasskeyRequest,
  how: { signal: AbortSignal; mediation?: "conditional" },
): Promise<string> {
  const publicKey = inBytes(request);
  const made = request.type === "create"
    ? await navigator.credentials.create({ ...how, publicKey } as CredentialCreationOptions)
    : await navigator.credentials.get({ ...how, publicKey } as CredentialRequestOptions);
  return JSON.stringify(inText(made as PublicKeyCredential)); // the only kind requested
}

/** Converts base64url texts to the bytes that the browser expects. */
function inBytes({ type, options }: PasskeyRequest): object {
  const challenge = bytesOf(options.challenge);
  const listed = (list: readonly { id: string }[] = []) =>
    list.map((one) => ({ ...one, id: bytesOf(one.id) }));
  if (type === "get") {
    return { ...options, challenge, allowCredentials: listed(options.allowCredentials) };
  }
  const user = { ...options.user, id: bytesOf(options.user.id) };
  return { ...options, challenge, user, excludeCredentials: listed(options.excludeCredentials) };
}

const binary = [
  "clientDataJSON",
  "attestationObject",
  "authenticatorData",
  "signature",
  "userHandle",
] as const;

function inText({ id, type, response }: PublicKeyCredential): object {
  const parts: Record<string, unknown> = {};
  for (const name of binary) {
    const buffer = (response as Partial<Record<typeof name, ArrayBuffer>>)[name]; // either may be absent
    if (buffer) parts[name] = textOf(buffer);
  }
  if (response instanceof AuthenticatorAttestationResponse) {
    parts.transports = response.getTransports?.();
  }
  return { id, rawId: id, type, response: parts };
}

function bytesOf(text: string): Uint8Array {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
