/** The WebAuthn options for the browser, as JSON; bytes are base64url. */
export type PasskeyRequest =
  | { readonly type: "create"; readonly options: CreationOptions }
  | { readonly type: "get"; readonly options: RequestOptions };

interface Descriptor {
  readonly id: string;
  readonly type: string;
  readonly transports?: readonly string[];
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly excludeCredentials?: readonly Descriptor[];
}

interface RequestOptions {
  readonly challenge: string;
  readonly allowCredentials?: readonly Descriptor[];
}
