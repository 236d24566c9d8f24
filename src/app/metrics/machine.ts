/** Readings of this process and of the machine. */
import { readdir, readFile, statfs } from "node:fs/promises";
import type { MetricValues } from "./readings.ts";

/** When this process started, Unix seconds. */
export const STARTED_AT_SECONDS = Math.round(Date.now() / 1_000 - process.uptime());

/** The resources of this process. Those of several processes add up. */
export async function readUsage(): Promise<MetricValues> {
  const { user, system } = process.cpuUsage();
  return {
    opzoek_process_cpu_seconds_total: (user + system) / 1e6,
    opzoek_process_resident_memory_bytes: process.memoryUsage.rss(),
    opzoek_process_anonymous_memory_bytes: await anonymousBytes(),
    ...(await readDescriptors()),
  };
}

/** The use of the file system of a folder. @throws if the folder does not exist */
export async function readDisk(folder: string): Promise<MetricValues> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return { opzoek_data_dir_free_bytes: bavail * bsize, opzoek_data_dir_size_bytes: blocks * bsize };
}

/** Anonymous memory, on systems with `/proc`. */
async function anonymousBytes(): Promise<number | undefined> {
  const status = await readFile("/proc/self/status", "utf8").catch(() => "");
  const [, kibibytes] = /^RssAnon:\s+([0-9]+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1_024;
}

/** Open files and their limit, on systems with `/proc`. */
async function readDescriptors(): Promise<MetricValues> {
  try {
    const [open, limits] = await Promise.all([
      readdir("/proc/self/fd"),
      readFile("/proc/self/limits", "utf8"),
    ]);
    const max = /^Max open files +([0-9]+)/m.exec(limits)?.[1];
    return { opzoek_process_open_fds: open.length, opzoek_process_max_fds: Number(max) };
  } catch {
    return {};
  }
}
