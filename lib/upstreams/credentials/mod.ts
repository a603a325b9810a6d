/** Credentials of clouds: sources of tokens and of keys to sign with. */
export type { Machine } from "./context.ts";
export {
  checkedCredential,
  type CredentialSource,
  credentialSource,
  misplacedCredential,
} from "./source.ts";
export { sourceIdentity } from "./identity.ts";
export { withSources } from "./authorized_send.ts";
