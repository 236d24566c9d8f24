/** Copies of a running PostgreSQL server: base backups and standbys. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterFile } from "./afterFile.ts";
import { databasesOn, type LaunchedPostgres, startPostgresOn } from "./postgres.ts";
import { makePostgresHome, PASSWORD, USER } from "./postgresServer.ts";
import { until } from "./until.ts";

/** Runs one statement as an operator, without waiting for a standby. */
export async function operate<Row>(url: string, statement: string): Promise<Row> {
  const client = new Client({ connectionString: url, options: "-c synchronous_commit=local" });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0] as Row;
  } finally {
    await client.end();
  }
}

/** Changes a setting of a running server. */
export async function alterSystem(url: string, name: string, value: string): Promise<void> {
  await operate(url, `alter system set ${name} = '${value}'`);
  await operate(url, "select pg_reload_conf()");
  await until(`the server has reloaded ${name}`, async () => {
    const shown = await operate<Record<string, string>>(url, `show ${name}`);
    return shown[name] === value;
  });
}

/** Copies the files between two calls, like `pg_basebackup`, which the tests' PostgreSQL lacks. */
export async function baseBackup(url: string, data: string, base: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_backup_start('base', true)");
  execFileSync("cp", ["-a", data, base]);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
  await client.end();
  rmSync(join(base, "postmaster.pid"));
  for (const name of readdirSync(join(base, "pg_wal"))) {
    rmSync(join(base, "pg_wal", name), { recursive: true });
  }
  writeFileSync(join(base, "backup_label"), rows[0]?.labelfile ?? "");
  giveToOwnerOf(data, join(base, "backup_label"));
}

/** The server has its own user if the tests run as root. */
export function giveToOwnerOf(data: string, path: string): void {
  const { uid, gid } = statSync(data);
  chownSync(path, uid, gid);
}

/** Starts a standby that replicates a server under this name. @returns its port */
export async function startStandby({ port, folder: data }: LaunchedPostgres, name: string): Promise<number> {
  const { folder, remove } = makePostgresHome();
  afterFile(remove);
  const url = databasesOn(port).address("postgres");
  // The slot makes the server keep changes made during the copy for streaming.
  await operate(url, `select pg_create_physical_replication_slot('${name}', true)`);
  const copy = join(folder, "standby");
  await baseBackup(url, data, copy);
  const primary = `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD} application_name=${name}`;
  appendFileSync(
    join(copy, "postgresql.auto.conf"),
    `primary_conninfo = '${primary}'\nprimary_slot_name = '${name}'\n`,
  );
  const signal = join(copy, "standby.signal");
  writeFileSync(signal, "");
  giveToOwnerOf(data, signal);
  const standbyPort = await startPostgresOn(copy);
  await until("the standby streams", async () => {
    const { streams } = await operate<{ streams: boolean }>(
      url,
      `select exists (select from pg_stat_replication where application_name = '${name}' and state = 'streaming') as streams`,
    );
    return streams;
  });
  return standbyPort;
}

/** Ends a server as a power failure would. */
export function killServer({ folder }: LaunchedPostgres): void {
  const [pid] = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
}
