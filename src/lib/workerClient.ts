/** Calls functions on a worker thread. Arguments and results are copied as by `postMessage`. */
import { parentPort, type Worker } from "node:worker_threads";

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: readonly never[];
}

/** The result of a call, or its error. */
type Reply = { readonly id: number } & ({ readonly result: unknown } | { readonly error: unknown });

/** A thread that serves functions with {@link serveCalls}. `Served` is their type. */
export class WorkerClient<Served extends Functions> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #failure: unknown;
  #nextId = 1;

  /** @param name of the thread in errors, after "the thread" */
  constructor(worker: Worker, name: string) {
    this.#worker = worker;
    worker.on("message", (reply: Reply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ("error" in reply) pending?.reject(reply.error);
      else pending?.resolve(reply.result);
    });
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error(`the thread ${name} ended`)));
  }

  /** Whether the thread has ended: every call fails. */
  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Calls a function. Calls begin in order.
   * @throws (the promise) the function's error, or the reason why the thread ended
   */
  async call<Name extends keyof Served & string>(
    name: Name,
    ...args: Parameters<Served[Name]>
  ): Promise<Awaited<ReturnType<Served[Name]>>> {
    if (this.hasEnded) throw this.#failure;
    const id = this.#nextId++;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#worker.postMessage({ id, name, args } satisfies Call);
    return (await pending.promise) as Awaited<ReturnType<Served[Name]>>;
  }

  /** Ends the thread. Running calls fail. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}

/** Serves functions to the thread that started this one. */
export function serveCalls(served: Functions): void {
  parentPort?.on("message", async ({ id, name, args }: Call) => {
    let reply: Reply;
    try {
      reply = { id, result: await served[name]?.(...args) };
    } catch (error) {
      reply = { id, error };
    }
    parentPort?.postMessage(reply);
  });
}
