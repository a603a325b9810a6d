import type { Catalog } from "../en/mod.ts";

export const store: Catalog["store"] = {
  label: "存储不可用",
  refused: "调用会被拒绝，更改不会保存。",
  faults: {
    full: "存储所在磁盘已满。请释放空间，网关随后会自动恢复。",
    read_only: "存储文件或其目录为只读。请让运行网关的用户可以写入。",
    corrupted: "存储文件已损坏。请停止网关，用 deno task restore FILE 恢复备份，然后重新启动。",
    lost: "存储文件已被删除或替换。请停止网关，用 deno task restore FILE 恢复备份，然后重新启动。",
    disk_error: "存储所在磁盘读写失败。请检查磁盘、挂载方式以及文件是否可写。",
    silent: "存储没有响应。请检查其磁盘，或 KV 服务器与网络。",
  },
};
