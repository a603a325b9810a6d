/** Accounts and access: users, passwords, sessions, set-up, API keys, API tokens. */
export {
  type AdminTokenCheck,
  checkAdminToken,
  excessOf,
  issueAdminToken,
  type IssuedAdminToken,
} from "./admin_tokens.ts";
export { type AdminScope, adminScopes, covers, scopeForRole } from "./scopes.ts";
export { administeredBy, archiveProject, moveAccount } from "./projects.ts";
export { checksumHolds, newApiKeySecret, shownParts } from "./api_key_secret.ts";
export {
  type ApiKeyDraft,
  issueApiKey,
  type IssuedApiKey,
  newApiKey,
  rotateApiKey,
} from "./api_keys.ts";
export { applyConfig, printedKeyName } from "./apply_config.ts";
export { readEmail } from "./email.ts";
export { acceptInvitation, issueInvitation, openInvitation } from "./invitations.ts";
export {
  authorizePayer,
  type Payer,
  type PayerDirectory,
  playgroundKeyId,
  playgroundKeyName,
} from "./payer.ts";
export { mayBeProxy, networkOf } from "./network.ts";
export { passwordFault, passwordLengthMax, passwordLengthMin, Passwords } from "./passwords.ts";
export { removeUser } from "./remove_user.ts";
export { type LocalSignIn, may, maySignInLocally } from "./roles.ts";
export { openSession, sessionLifetimeMs, startSession } from "./sessions.ts";
export {
  issueSetupLink,
  isToBeSetUp,
  redeemSetup,
  setupLinkHolds,
  setupLinkLifetimeMs,
} from "./setup.ts";
export { knownDeviceLifetimeMs, newKnownDevice } from "./known_device.ts";
export { totpAddress } from "./one_time_code.ts";
export type { PasskeySite } from "./passkey_at.ts";
export { assertionOptions } from "./passkey_check.ts";
export {
  passkeyNameMax,
  passkeysMax,
  registerPasskey,
  registrationOptions,
  type RegistrationResult,
} from "./passkey_registration.ts";
export {
  issuePasswordLink,
  openPasswordLink,
  passwordLinkLifetimeMs,
  redeemPasswordLink,
} from "./password_links.ts";
export { openPending, pendingLifetimeMs } from "./pending_sign_in.ts";
export { isProved, noteProof, type Proof, type ProofResult, prove } from "./proof.ts";
export {
  beginSecondStep,
  confirmSecondStep,
  openEnrolment,
  renewRecoveryCodes,
} from "./second_step.ts";
export { resetSecondStep } from "./second_step_reset.ts";
export {
  signedInAs,
  signIn,
  signInByCode,
  signInByPasskey,
  type SignInFrom,
  type SignInResult,
} from "./sign_in.ts";
export { signUp } from "./sign_up.ts";
export { admitIdentity, isOwnIdentity, linkIdentity } from "./sso/admit_identity.ts";
export type { SsoArrival } from "./sso/arrival.ts";
export { flowLifetimeMs, type SsoFlow, type SsoPurpose } from "./sso/flow.ts";
export type { SsoRefusal } from "./sso/refusal.ts";
export { SingleSignOn } from "./sso/single_sign_on.ts";
export { SsoError, type SsoFailure } from "./sso/sso_error.ts";
export { waiting } from "./sign_in_wait.ts";
export { addAccount, newAccount, setPassword } from "./users.ts";
