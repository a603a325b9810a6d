/** The notice to administrators on every page while the store is unavailable. */
export const store = {
  label: "Store unavailable",
  refused: "Calls are refused and changes are not saved.",
  faults: {
    full: "The store's disk is full. Free some space; the gateway then recovers by itself.",
    read_only:
      "The store's file or folder is read-only. Make both writable for the gateway's user.",
    corrupted:
      "The store's file is damaged. Stop the gateway, restore a backup with deno task restore FILE, and start again.",
    lost:
      "The store's file was deleted or replaced. Stop the gateway, restore a backup with deno task restore FILE, and start again.",
    disk_error:
      "Reading or writing the store's disk fails. Check the disk, its mount, and whether the file is writable.",
    silent: "The store does not respond. Check its disk, or the KV server and the network.",
  },
};
