/** Credentials of clouds: sources of tokens and of keys to sign with. */
export {
  type CheckedCredential,
  checkedCredential,
  type CredentialSource,
  credentialSource,
  readSource,
  secretsOf,
  type SourceOf,
  type SourceType,
} from "./source.ts";
export type { Machine } from "./context.ts";
export { withSources } from "./authorized_send.ts";
