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
