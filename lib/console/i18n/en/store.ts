/** The notice to administrators on every page while the store is unavailable. */
export const store = {
  label: "The store is unavailable",
  refused: "Calls are refused and changes are not saved.",
  faults: {
    full: "The store's disk is full. Free space on it: the gateway then goes on by itself.",
    read_only:
      "The store's file or folder is read-only. Make both writable for the gateway's user.",
    corrupted:
      "The store's file is damaged. Stop the gateway, restore a backup, run deno task audit, and start again.",
    lost:
      "The store's file was deleted or replaced. Stop the gateway, restore a backup, run deno task audit, and start again.",
    disk_error:
      "The store's disk fails to read or write. Check the disk, how it is mounted, and whether the file may be written.",
    silent:
      "The store does not answer. Check its disk, or the KV server and the network in between.",
  },
};
