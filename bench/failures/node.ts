import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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
  #server: Server | undefined;

  /** @param environment with `CLOCK_FILE`, see `preload.js` */
  constructor(name: string, port: number, folder: string, environment: NodeJS.ProcessEnv) {
    this.name = name;
    this.port = port;
    this.#logFile = join(folder, `${name}.log`);
    this.#environment = { ...environment, NODE_OPTIONS: `--import=${PRELOAD}` };
  }

  async start(): Promise<void> {
    this.#server = await startServer(this.#environment, { port: this.port, stdout: "pipe" });
    this.#server.child.stdout?.on("data", (bytes: Buffer) => appendFileSync(this.#logFile, bytes));
  }

  /** @returns the exit code */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<number | null | undefined> {
    // The process has closed only when its log is read to the end.
    this.stallLog(false);
    return this.#server?.stop(signal);
  }

  /** Stops or resumes reading the log. */
  stallLog(isStalled: boolean): void {
    this.#server?.child.stdout?.[isStalled ? "pause" : "resume"]();
  }

  /** Makes a worker process throw an error, or kills it. */
  endWorker(how: "throw" | "kill"): void {
    const [worker] = childrenOf(this.#server?.child.pid);
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
