/** Who may use the console and the gateway: users, passwords, sessions, set-up, API keys. */
export { checksumHolds, newApiKeySecret, shownParts } from "./api_key_secret.ts";
export {
  type ApiKeyDraft,
  issueApiKey,
  type IssuedApiKey,
  newApiKey,
  rotateApiKey,
} from "./api_keys.ts";
export { type Applied, applyConfig } from "./apply_config.ts";
export { readEmail } from "./email.ts";
export {
  acceptInvitation,
  type InvitationDraft,
  invitationLifetimeMs,
  type InvitationResult,
  issueInvitation,
  openInvitation,
} from "./invitations.ts";
export {
  authorizePayer,
  type Payer,
  type PayerDirectory,
  playgroundKeyId,
  playgroundKeyName,
} from "./payer.ts";
export { passwordFault, passwordLengthMax, passwordLengthMin, Passwords } from "./passwords.ts";
export { may, mayManageKey, type Permission } from "./roles.ts";
export { type OpenedSession, openSession, sessionLifetimeMs, startSession } from "./sessions.ts";
export {
  type IssuedSetupLink,
  issueSetupLink,
  isToBeSetUp,
  redeemSetup,
  setupLinkHolds,
  setupLinkLifetimeMs,
  type SetupResult,
} from "./setup.ts";
export { signIn, type SignInAttempt, type SignInResult } from "./sign_in.ts";
export { waiting } from "./sign_in_wait.ts";
export { addAccount, changePassword, setPassword, type UserResult } from "./users.ts";
