/** Readings of this process and of the machine. */
import { readdir, readFile, statfs } from "node:fs/promises";
import type { Reading } from "./readings.ts";

const STARTED_AT_SECONDS = Math.round(Date.now() / 1_000 - process.uptime());

/** When this process began. */
export function startReading(): Reading {
  return { name: "opzoek_process_start_time_seconds", value: STARTED_AT_SECONDS };
}

/** The resources of this process. Those of several processes add up. */
export async function readUsage(): Promise<readonly Reading[]> {
  const { user, system } = process.cpuUsage();
  return [
    { name: "opzoek_process_cpu_seconds_total", value: (user + system) / 1e6 },
    { name: "opzoek_process_resident_memory_bytes", value: process.memoryUsage.rss() },
    ...(await readAnonymous()),
    ...(await readDescriptors()),
  ];
}

/** How full the file system of a folder is. @throws when there is no such folder */
export async function readDisk(folder: string): Promise<readonly Reading[]> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return [
    { name: "opzoek_data_dir_free_bytes", value: bavail * bsize },
    { name: "opzoek_data_dir_size_bytes", value: blocks * bsize },
  ];
}

/** Memory that is no file's, where the system has `/proc`. */
async function readAnonymous(): Promise<readonly Reading[]> {
  const status = await readFile("/proc/self/status", "utf8").catch(() => "");
  const [, kibibytes] = /^RssAnon:\s+([0-9]+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined
    ? []
    : [{ name: "opzoek_process_anonymous_memory_bytes", value: Number(kibibytes) * 1_024 }];
}

/** Open files and how many there may be, where the system has `/proc`. */
async function readDescriptors(): Promise<readonly Reading[]> {
  try {
    const [open, limits] = await Promise.all([
      readdir("/proc/self/fd"),
      readFile("/proc/self/limits", "utf8"),
    ]);
    const [, most] = /^Max open files +([0-9]+)/m.exec(limits) ?? [];
    return [
      { name: "opzoek_process_open_fds", value: open.length },
      ...(most === undefined ? [] : [{ name: "opzoek_process_max_fds", value: Number(most) } as const]),
    ];
  } catch {
    return [];
  }
}
