import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { afterFile } from "./afterFile.ts";
import { freePort } from "./freePort.ts";
import type { PoolMode } from "./pooler.ts";
import { until } from "./until.ts";

/** PgBouncer if it is installed (Debian: `apt-get install pgbouncer`). */
export const PGBOUNCER = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "pgbouncer"))
  .find((path) => existsSync(path));

/** Starts it in front of a database with its default settings. @returns the address through it */
export async function startPgbouncer(program: string, url: string, mode: PoolMode): Promise<string> {
  const { username, password, port, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "opzoek-pgbouncer-"));
  const settings = join(folder, "pgbouncer.ini");
  const ownPort = await freePort();
  writeFileSync(
    settings,
    `[databases]
${pathname.slice(1)} = host=127.0.0.1 port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  // It refuses to run as root, so another user must be able to read its configuration.
  chmodSync(folder, 0o755);
  const child = spawn(program, [...(userInfo().uid === 0 ? ["-u", "nobody"] : []), settings], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words += chunk.toString();
  });
  afterFile(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  await until("PgBouncer listens", () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer does not start: ${words}`);
    return words.includes("listening on 127.0.0.1");
  });
  const changed = new URL(url);
  changed.port = String(ownPort);
  return changed.href;
}
