import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

/** The memory that a service needs soon after its start, even if it does not use it yet. */
const MIN_USED_BYTES = 110e6;

/**
 * The memory that this process and those it starts may still use, in bytes: the limit of their control group
 * without what is in use there. The page cache does not count, because the system frees it on demand. Undefined without
 * a limit.
 */
export function freeMemoryBytes(): { readonly limitBytes: number; readonly freeBytes: number } | undefined {
  const limitBytes = process.constrainedMemory();
  if (limitBytes === 0 || limitBytes >= totalmem()) return undefined;
  const usedBytes = Math.max(MIN_USED_BYTES, bytesOfGroup() ?? process.memoryUsage.rss());
  return { limitBytes, freeBytes: limitBytes - usedBytes };
}

/** Reads the memory of all processes of the control group. A container sees its own group at the root. */
function bytesOfGroup(): number | undefined {
  const groups = read("/proc/self/cgroup") ?? "";
  const [, unified] = /^0::(.*)$/m.exec(groups) ?? [];
  const [, separate] = /^[0-9]+:(?:[a-z,]+,)?memory(?:,[a-z,]+)?:(.*)$/m.exec(groups) ?? [];
  const files = [
    ...(separate === undefined ? [] : [`memory${separate}`, "memory"]),
    ...(unified === undefined ? [] : [unified, "."]),
  ];
  for (const file of files) {
    const [, bytes] =
      /^(?:anon|total_rss) ([0-9]+)$/m.exec(read(`/sys/fs/cgroup/${file}/memory.stat`) ?? "") ?? [];
    if (bytes !== undefined) return Number(bytes);
  }
  return undefined;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
