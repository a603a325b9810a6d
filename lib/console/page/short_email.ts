/** The name before the `@` of a colleague's address; the whole address of another domain. */
export function shortEmail(email: string, reader: { readonly email: string }): string {
  const domain = /@[^@]*$/.exec(reader.email)?.[0];
  return domain && email.endsWith(domain) ? email.slice(0, -domain.length) : email;
}
