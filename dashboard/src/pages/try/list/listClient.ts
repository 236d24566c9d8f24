import { LISTS_DATABASE } from "./job/databaseName.ts";
import { ListStore } from "./job/store.ts";
import type { ListState, RequestName, Requests, Said, Sent } from "./protocol.ts";

/** The list of one account: it goes on while its reader looks at other screens. */
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
      this.#fail("the thread of the list has ended");
      this.#hear({ state: { step: "lost" } });
    });
  }

  /** How the list stands; another object after each change. */
  readonly state = (): ListState => this.#state;

  /** Tells `listener` of every change; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Asks the worker. @throws {Error} when it could not do it */
  async ask<Name extends RequestName>(
    name: Name,
    ask: Requests[Name]["ask"],
  ): Promise<Requests[Name]["answer"]> {
    this.#lastId += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastId, waiting);
    // The compiler does not see that name and ask belong together.
    const sent = { id: this.#lastId, name, ask } as Sent;
    this.#worker.postMessage(sent);
    return (await waiting.promise) as Requests[Name]["answer"];
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

/** The client of an account: the one there is, or a new one that opens what the browser keeps. */
export function listClientOf(accountId: string): ListClient {
  if (current?.accountId === accountId) return current;
  current?.end();
  const client = new ListClient(accountId);
  current = client;
  client.ask("open", { accountId }).catch(() => undefined);
  return client;
}

/** Begins with what the browser keeps, in the place of a client whose worker was lost. */
export function reopenList(accountId: string): ListClient {
  current?.end();
  current = undefined;
  return listClientOf(accountId);
}

/** Works with what the browser keeps of lists; undefined where it keeps none, or cannot say. */
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
  return (await withStore((store) => store.has(accountId))) === true;
}

/** Keeps the promise that a list is deleted after a week: any visit to the page deletes it, signed in or not. */
export async function forgetOldLists(): Promise<void> {
  await withStore((store) => store.forgetOld(Date.now()));
}

/** Who signs out leaves nothing behind: the list under way ends, and what the browser keeps of lists is deleted. */
export function forgetLists(): void {
  current?.end();
  current = undefined;
  try {
    indexedDB.deleteDatabase(LISTS_DATABASE);
  } catch {}
}
