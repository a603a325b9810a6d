/** What bounds calls, and who refused one. */
export const bounds = {
  owner: {
    key: () => "Key",
    group: (id: string) => `Group ${id}`,
    account: () => "Account",
    project: (id: string) => `Project ${id}`,
    organization: () => "Organization",
    tag: (id: string) => `Tag ${id}`,
    session: (id: string) => `Session ${id}`,
    child: (id: string) => `Child key ${id}`,
    wallet: () => "Wallet",
    provider: (id: string) => `Upstream ${id}`,
  },
  refuser: {
    key: () => "The key",
    group: (id: string) => `The group ${id}`,
    account: () => "The account",
    project: (id: string) => `The project ${id}`,
    organization: () => "The organization",
    tag: (id: string) => `The tag ${id}`,
    session: (id: string) => `The session ${id}`,
    child: (id: string) => `The child key ${id}`,
    wallet: () => "The wallet",
    provider: (id: string) => `The upstream ${id}`,
  },
  causedBy: (cause: string, owner: string) => `${cause}: ${owner}`,
  refusedBy: "Refused by",
};
