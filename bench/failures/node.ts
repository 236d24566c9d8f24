import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/kit/freePort.ts";
import { OPZOEK, type Started, startInto } from "../processes.ts";

const PRELOAD = fileURLToPath(new URL("preload.js", import.meta.url));
const LOOK_EVERY_MS = 50;
const READY_WITHIN_MS = 60_000;

/** Read by the processes of a node while it runs. */
interface Control {
  readonly aheadMs: number;
  readonly death?: { readonly id: number; readonly how: "throw" | "exit" };
}

/** A line of its log, and when it was written by the clock of this machine. */
export interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly time: string;
}

/** A node under test: a process that is killed and started again at the same port, its log gathered in one file. */
export class SoakNode {
  readonly name: string;
  readonly port: number;
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  #control: Control = { aheadMs: 0 };
  #deaths = 0;
  /** Copies the log from a pipe into the file, so that it can stop reading. */
  #logReader: ChildProcess | undefined;
  #started: Started | undefined;

  private constructor(name: string, port: number, folder: string, environment: NodeJS.ProcessEnv) {
    this.name = name;
    this.port = port;
    this.#folder = folder;
    this.#environment = environment;
  }

  static async start(name: string, folder: string, environment: NodeJS.ProcessEnv): Promise<SoakNode> {
    const node = new SoakNode(name, await freePort(), folder, environment);
    node.#write(node.#control);
    try {
      await node.start();
    } catch (error) {
      await node.kill();
      throw error;
    }
    return node;
  }

  get logFile(): string {
    return join(this.#folder, `${this.name}.log`);
  }

  get pid(): number | undefined {
    return this.#started?.pid;
  }

  async start(): Promise<void> {
    const log = this.#openLogPipe();
    const [node, main] = OPZOEK;
    this.#started = startInto(log, [node, main, "serve"], {
      ...this.#environment,
      PORT: String(this.port),
      NODE_OPTIONS: `--import=${PRELOAD}`,
      SOAK_CONTROL: this.#controlFile,
    });
    closeSync(log);
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadlineMs) {
      if (await this.#answers()) return;
      await pause(LOOK_EVERY_MS);
    }
    throw new Error(`${this.name} does not answer within a minute: see ${this.logFile}`);
  }

  async kill(): Promise<void> {
    this.killNow();
    await this.#started?.ended;
    await this.#closeLog();
    this.#started = undefined;
  }

  /** The same without waiting for its end. */
  killNow(): void {
    const { pid } = this;
    if (pid === undefined) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }

  /** @returns its exit code */
  async stop(): Promise<number | null | undefined> {
    const code = await this.#started?.stop();
    await this.#closeLog();
    this.#started = undefined;
    return code;
  }

  /** Stops reading the log, or reads on. */
  stallLog(isStalled: boolean): void {
    this.#logReader?.kill(isStalled ? "SIGSTOP" : "SIGCONT");
  }

  #openLogPipe(): number {
    const pipe = join(this.#folder, `${this.name}.pipe`);
    if (!existsSync(pipe)) execFileSync("mkfifo", [pipe]);
    const file = openSync(this.logFile, "a");
    this.#logReader = spawn("cat", [pipe], { stdio: ["ignore", file, "ignore"] });
    closeSync(file);
    return openSync(pipe, "w");
  }

  async #closeLog(): Promise<void> {
    const reader = this.#logReader;
    this.#logReader = undefined;
    if (reader === undefined) return;
    reader.kill("SIGCONT");
    if (reader.exitCode === null && reader.signalCode === null) await once(reader, "exit");
  }

  setClock(aheadMs: number): void {
    this.#tell({ aheadMs });
  }

  /** Has one of its worker processes die, by an error that nobody catches or by its end. */
  killWorker(how: "throw" | "exit"): void {
    this.#tell({ ...this.#control, death: { id: ++this.#deaths, how } });
  }

  /** Lines of the log at a level and above. */
  logLines(minLevel: number): LogLine[] {
    return readFileSync(this.logFile, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ level }) => level >= minLevel);
  }

  get #controlFile(): string {
    return join(this.#folder, `${this.name}.control`);
  }

  #tell(control: Control): void {
    this.#control = control;
    this.#write(control);
  }

  /** Put in place as a whole: a thread may read it at any moment. */
  #write(control: Control): void {
    const next = `${this.#controlFile}.next`;
    writeFileSync(next, JSON.stringify(control));
    renameSync(next, this.#controlFile);
  }

  async #answers(): Promise<boolean> {
    try {
      return (
        (await fetch(`http://127.0.0.1:${this.port}/v1/health`, { signal: AbortSignal.timeout(5_000) }))
          .status < 600
      );
    } catch {
      return false;
    }
  }
}
