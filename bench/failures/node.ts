import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/kit/freePort.ts";
import { childrenOf, type Server, startServer } from "../processes.ts";

const PRELOAD = fileURLToPath(new URL("preload.js", import.meta.url));

/** A line of a log in JSON. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
}

/** A node under test: a server that is killed and started again on the same port. */
export class TestNode {
  readonly name: string;
  readonly port: number;
  readonly #logFile: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #server: Server | undefined;

  private constructor(name: string, port: number, folder: string, environment: NodeJS.ProcessEnv) {
    this.name = name;
    this.port = port;
    this.#logFile = join(folder, `${name}.log`);
    this.#environment = { ...environment, NODE_OPTIONS: `--import=${PRELOAD}` };
  }

  /** @param environment with `CLOCK_FILE`, see `preload.js` */
  static async create(name: string, folder: string, environment: NodeJS.ProcessEnv): Promise<TestNode> {
    return new TestNode(name, await freePort(), folder, environment);
  }

  async start(): Promise<void> {
    const onSpawn = (child: ChildProcess) => {
      this.#child = child;
      child.stdout?.on("data", (bytes: Buffer) => appendFileSync(this.#logFile, bytes));
    };
    this.#server = await startServer(this.#environment, { port: this.port, stdout: "pipe", onSpawn });
  }

  /** @returns the exit code */
  async stop(): Promise<number | null | undefined> {
    return this.#server?.stop();
  }

  /** Sends SIGKILL. */
  killNow(): void {
    this.#child?.kill("SIGKILL");
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.stallLog(false);
    const ended = once(child, "close");
    this.killNow();
    await ended;
  }

  /** Stops or resumes reading the log. */
  stallLog(isStalled: boolean): void {
    if (isStalled) this.#child?.stdout?.pause();
    else this.#child?.stdout?.resume();
  }

  /** Makes a worker process throw an error, or kills it. */
  endWorker(how: "throw" | "kill"): void {
    const [worker] = childrenOf(this.#child?.pid ?? 0);
    if (worker === undefined) throw new Error(`${this.name} has no worker process`);
    process.kill(worker, how === "throw" ? "SIGUSR2" : "SIGKILL");
  }

  logLines(): LogLine[] {
    return readFileSync(this.#logFile, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as LogLine);
  }
}
