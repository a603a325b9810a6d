/** Of a new password. Passwords of other gateways may be shorter. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 1_000;

/** Returns the reason a password is rejected, as a sentence to show; undefined if it is acceptable. */
export function passwordFault(password: string): string | undefined {
  if ([...password].length < passwordLengthMin) {
    return `The password must have at least ${passwordLengthMin} characters`;
  }
  if (password.length > passwordLengthMax) {
    return `The password must have at most ${passwordLengthMax} characters`;
  }
  return undefined;
}
