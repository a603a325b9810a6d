/** Users, their sessions, and how they sign in. */
export {
  createIdentity,
  createUserOfIdentity,
  deleteIdentity,
  getIdentity,
  type Identity,
  identityId,
  listIdentities,
  updateIdentity,
} from "./identity.ts";
export {
  createInvitation,
  createPasswordLink,
  createSetupLink,
  deleteInvitation,
  deleteInvitations,
  deletePasswordLink,
  type FoundLink,
  getInvitation,
  getPasswordLink,
  getSetupLink,
  type Invitation,
  type LinkMaker,
  listInvitations,
  type MadeBy,
  makerOfInvitation,
  redeemInvitation,
  redeemSetupLink,
  setPasswordByLink,
  useOnce,
} from "./one_time_links.ts";
export { type InvitedSettings, invitedSettings } from "./invited.ts";
export {
  createSession,
  deleteSession,
  deleteSessions,
  getLastSeen,
  getSession,
  listSessions,
  type Session,
  updateSession,
} from "./session.ts";
export {
  createPasskey,
  deletePasskey,
  getPasskey,
  listPasskeys,
  type Passkey,
  updatePasskey,
} from "./passkey.ts";
export { createTotp, deleteTotp, getTotp, type Totp, updateTotp, usersWithTotp } from "./totp.ts";
export {
  type AttemptCount,
  clearSignInAttempts,
  returnSignInAttempt,
  signInWait,
  takeSignInAttempt,
} from "./sign_in_attempts.ts";
export {
  getReadingChoices,
  type LogView,
  logViewsMax,
  type ReadingChoices,
  updateReadingChoices,
} from "./reading_choices.ts";
export {
  type Account,
  createUser,
  defaultSpending,
  deleteUser,
  firstAccountId,
  getUser,
  getUserByEmail,
  getUsers,
  hasSeveralUsers,
  listUsers,
  type MailChoice,
  type Role,
  termOf,
  updateUser,
  type User,
} from "./user.ts";
