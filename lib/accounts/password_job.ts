/** Requests to the password worker, and its answers. */
export type PasswordJob =
  | { readonly type: "hash"; readonly id: number; readonly password: string }
  | {
    readonly type: "verify";
    readonly id: number;
    readonly password: string;
    readonly hash: string;
  };

export type PasswordResult =
  | { readonly type: "done"; readonly id: number; readonly value: string | boolean }
  | { readonly type: "failed"; readonly id: number; readonly reason: string };
