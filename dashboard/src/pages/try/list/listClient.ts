import { asFailure } from "../../../api/failure.ts";
import { cancelPart, JOB_API } from "./job/jobApi.ts";
import { LISTS_DATABASE, ListStore } from "./job/store.ts";
import type { Answered, Ask, ListState, RequestName, Said, Sent } from "./protocol.ts";

/** The list of one account, which is also followed while other screens are shown. */
export class ListClient {
  readonly accountId: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Set<() => void>();
  #state: ListState = { step: "opening" };
  #lastId = 0;

  constructor(accountId: string) {
    this.accountId = accountId;
    this.#worker = new Worker(new URL("./job/worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", (event: MessageEvent<Said>) => this.#hear(event.data));
    this.#worker.addEventListener("error", () => {
      this.lose();
    });
  }

  /** The state of the list; another object after each change. */
  readonly state = (): ListState => this.#state;

  /** Calls `listener` after every change; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Asks the worker. @throws {Error} when it could not do it */
  async ask<Name extends RequestName>(name: Name, ask: Ask<Name>): Promise<Answered<Name>> {
    this.#lastId += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, waiting);
    // The compiler does not see that name and ask belong together.
    const sent = { id: this.#lastId, name, ask } as Sent;
    this.#worker.postMessage(sent);
    return (await waiting.promise) as Answered<Name>;
  }

  /** Asks for a change that shows in the state; a worker that fails at it shows there too. */
  send<Name extends RequestName>(name: Name, ask: Ask<Name>): void {
    this.ask(name, ask).catch(() => undefined);
  }

  /** Shows that the worker has ended. */
  lose(): void {
    this.#fail("the thread of the list has ended");
    this.#hear({ state: { step: "lost" } });
  }

  end(): void {
    this.#worker.terminate();
    this.#fail("the list was left");
  }

  #hear(said: Said): void {
    if ("state" in said) {
      this.#state = said.state;
      for (const listener of this.#listeners) listener();
      return;
    }
    const waiting = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    if ("failed" in said) waiting?.reject(new Error(said.failed));
    else waiting?.resolve(said.answer);
  }

  #fail(why: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(why));
    this.#waiting.clear();
  }
}

let current: ListClient | undefined;

/** The client of an account: the one there is, or a new one that opens the list that the browser keeps. */
export function listClientOf(accountId: string): ListClient {
  if (current?.accountId === accountId) return current;
  current?.end();
  const client = new ListClient(accountId);
  current = client;
  client.send("open", { accountId });
  return client;
}

/** Starts anew with the list that the browser keeps, after the worker was lost. */
export function reopenList(accountId: string): ListClient {
  current?.end();
  current = undefined;
  return listClientOf(accountId);
}

/** Uses the browser's lists; undefined where it has none, or cannot say. */
async function withStore<T>(use: (store: ListStore) => Promise<T>): Promise<T | undefined> {
  try {
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === LISTS_DATABASE)) return undefined;
    const store = await ListStore.open();
    try {
      return await use(store);
    } finally {
      store.close();
    }
  } catch {
    return undefined;
  }
}

/** Whether signing out would delete a list with results. */
export async function keepsList(accountId: string): Promise<boolean> {
  if (current?.accountId === accountId && current.state().step === "begun") return true;
  return (await withStore((store) => store.find(accountId))) !== undefined;
}

/** Cancels the job of a list that is under way: after signing out, nobody would see what it costs. @throws {Failure} */
export async function cancelList(accountId: string): Promise<void> {
  // Ended first: it would otherwise go on with the next part.
  current?.end();
  try {
    const list = await withStore((store) => store.find(accountId));
    if (list?.part !== undefined) await cancelPart(JOB_API, list.part, list.isEverything);
  } catch (error) {
    const { code } = asFailure(error);
    // The service has paused the lists of a suspended account.
    if (code === "FORBIDDEN" || code === "UNAUTHORIZED") return;
    current?.lose();
    throw error;
  }
}

/** Keeps the promise that old lists are deleted: any visit to the page deletes them, signed in or not. */
export async function forgetOldLists(): Promise<void> {
  await withStore((store) => store.forgetOld(Date.now()));
}

/** Deletes all that the browser keeps of lists, as signing out leaves nothing behind. */
export function forgetLists(): void {
  current?.end();
  current = undefined;
  try {
    indexedDB.deleteDatabase(LISTS_DATABASE);
  } catch {}
}
