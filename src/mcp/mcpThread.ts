import { Worker } from "node:worker_threads";
import type {
  CallTool,
  McpAnswer,
  McpFacts,
  McpMessage,
  McpProtocol,
  ToolOutcome,
} from "../http/mcp/protocol.ts";
import type { FromThread, ToThread } from "./messages.ts";

/** Beside the work of a tool, which has its own bounds: what the library never answers is not waited for. */
const ANSWERED_WITHIN_MS = 10_000;
/** A thread may end by another message's fault; one that ends so often with the same one ends by its own. */
const MOST_TRIES = 3;
/** A thread that needs more has gone wrong; a message has 64 KB at most. */
const MOST_HEAP_MB = 128;

interface UnderWay {
  readonly callTool: CallTool;
  readonly answered: (answer: McpAnswer) => void;
  readonly failed: (error: Error) => void;
}

/**
 * Has messages answered on a thread of its own, started with the first of them: the protocol's library takes longer to load than a call may
 * wait, and longer for a message than a call takes. Tools are called on the thread that asks. When a thread ends by itself, what it was at is
 * begun again on another one, with what its tool came to where that was called: nothing is charged twice, nor charged and not told.
 */
export class McpThread implements McpProtocol {
  readonly #facts: () => McpFacts;
  #worker: Worker | undefined;
  readonly #underWay = new Map<number, UnderWay>();
  #lastId = 0;
  #isClosed = false;

  /** @param facts asked for when the thread is started */
  constructor(facts: () => McpFacts) {
    this.#facts = facts;
  }

  async answer(message: McpMessage, callTool: CallTool): Promise<McpAnswer> {
    let outcome: Promise<ToolOutcome> | undefined;
    const callOnce: CallTool = (name, given) => {
      outcome ??= callTool(name, given);
      return outcome;
    };
    for (let tries = 1; ; tries++) {
      try {
        return await this.#ask(message, callOnce);
      } catch (error) {
        if (!(error instanceof ThreadEnded) || tries === MOST_TRIES || this.#isClosed) throw error;
      }
    }
  }

  #ask(message: McpMessage, callTool: CallTool): Promise<McpAnswer> {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<McpAnswer>();
    const late = () => reject(new Error("a message had no answer in time"));
    let timer = setTimeout(late, ANSWERED_WITHIN_MS).unref();
    const calledTool: CallTool = async (name, given) => {
      clearTimeout(timer);
      try {
        return await callTool(name, given);
      } finally {
        timer = setTimeout(late, ANSWERED_WITHIN_MS).unref();
      }
    };
    this.#underWay.set(id, { callTool: calledTool, answered: resolve, failed: reject });
    this.#give({ kind: "message", id, message });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#underWay.delete(id);
    });
  }

  /** Ends the thread; what is under way fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #give(given: ToThread): void {
    this.#worker?.postMessage(given);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./mcpWorker.ts", import.meta.url), {
      workerData: this.#facts(),
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    // It ends with whoever asks it.
    worker.unref();
    let cause: unknown;
    worker.on("message", (told: FromThread) => this.#take(told));
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      const error = new ThreadEnded("the thread of the Model Context Protocol ended", { cause });
      for (const { failed } of this.#underWay.values()) failed(error);
    });
    return worker;
  }

  #take(told: FromThread): void {
    const underWay = this.#underWay.get(told.id);
    if (underWay === undefined) return;
    if (told.kind === "answer") underWay.answered(told.answer);
    else if (told.kind === "failed") underWay.failed(asError(told.error));
    else void this.#call(told, underWay);
  }

  async #call(
    { id, name, given }: FromThread & { kind: "call" },
    { callTool, failed }: UnderWay,
  ): Promise<void> {
    try {
      this.#give({ kind: "outcome", id, outcome: await callTool(name, given) });
    } catch (error) {
      this.#give({ kind: "failed", id });
      failed(asError(error));
    }
  }
}

class ThreadEnded extends Error {}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
