/** The reasons for a mail that was not sent, each in one English sentence. */
export const mailFaults = {
  name_not_found: "The name of the mail server was not found",
  address_forbidden: "The mail server has a private address, which is not allowed here",
  connection_refused: "The mail server refused the connection: check its port",
  timeout: "The mail server did not answer in time",
  connection_lost: "The mail server ended the connection",
  no_tls: "The mail server does not offer TLS at this port",
  certificate: "The certificate of the mail server is not trusted",
  authentication: "The mail server refused the user name or the password",
  sender: "The mail server refused the sender's address",
  recipient: "The mail server refused the recipient's address",
  rejected: "The mail server refused the mail",
  expired: "The link in the mail had expired",
  password_sealed: "The stored password cannot be read with the current TESSERA_SECRET",
} as const;
export type MailFault = keyof typeof mailFaults;
