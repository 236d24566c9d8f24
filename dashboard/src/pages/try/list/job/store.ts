/** The list of each account, in the browser's own database, so that it survives a reload. */
import { asFailure } from "../../../../api/failure.ts";
import type { CompanyList } from "./companyList.ts";
import { cancelJob, JOB_API, type ListStorage, type StoredList } from "./jobApi.ts";

const DATABASE = "opzoek-lists";
const LISTS = "lists";
const EXPIRY = "expiresAtMs";

/** The lists stored in this browser, one per account. Every method throws if there is no storage. */
export class ListStore implements ListStorage {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Deleting the database on sign-out waits until all connections are closed.
    database.addEventListener("versionchange", () => database.close());
  }

  static async open(): Promise<ListStore> {
    const opening = indexedDB.open(DATABASE, 2);
    opening.addEventListener("upgradeneeded", () => {
      for (const name of [...opening.result.objectStoreNames]) opening.result.deleteObjectStore(name);
      opening.result.createObjectStore(LISTS, { keyPath: "accountId" }).createIndex(EXPIRY, EXPIRY);
    });
    return new Promise((resolve, reject) => {
      opening.addEventListener("success", () => resolve(new ListStore(opening.result)));
      opening.addEventListener("error", () => reject(opening.error));
    });
  }

  close(): void {
    this.#database.close();
  }

  find(accountId: string): Promise<StoredList | undefined> {
    return this.#do("readonly", (lists) => lists.get(accountId));
  }

  async put(list: StoredList): Promise<void> {
    await this.#do("readwrite", (lists) => lists.put(list));
  }

  async remove(accountId: string): Promise<void> {
    await this.#do("readwrite", (lists) => lists.delete(accountId));
  }

  /** Deletes the old lists of all accounts. */
  async deleteOld(): Promise<void> {
    const old = IDBKeyRange.upperBound(Date.now());
    const accountIds = await this.#do("readonly", (lists) => lists.index(EXPIRY).getAllKeys(old));
    for (const accountId of accountIds) await this.remove(String(accountId));
  }

  #do<T>(mode: IDBTransactionMode, act: (lists: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(LISTS, mode);
      const request = act(transaction.objectStore(LISTS));
      transaction.addEventListener("complete", () => resolve(request.result));
      transaction.addEventListener("abort", () =>
        reject(transaction.error ?? new Error("the transaction was aborted")),
      );
    });
  }
}

let current: CompanyList | undefined;

/** The open list, also while other screens are shown. */
export const currentList = () => current;

/** Replaces the open list. */
export function setCurrentList(list: CompanyList | undefined): void {
  current?.end();
  current = list;
}

/** Uses the stored lists; undefined if there are none, or the storage fails. */
async function withStore<T>(use: (store: ListStore) => Promise<T>): Promise<T | undefined> {
  try {
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === DATABASE)) return undefined;
    const store = await ListStore.open();
    return await use(store).finally(() => store.close());
  } catch {
    return undefined;
  }
}

/** Whether signing out would delete a list. */
export async function hasStoredList(accountId: string): Promise<boolean> {
  if (current?.accountId === accountId && current.state().step === "begun") return true;
  return (await withStore((store) => store.find(accountId))) !== undefined;
}

/** Cancels the job of a running list, because its cost would not be visible after signing out. @throws {Failure} */
export async function cancelList(accountId: string): Promise<void> {
  const list = await withStore((store) => store.find(accountId));
  if (list?.sent === undefined) return;
  try {
    await cancelJob(JOB_API, list.sent, list.isEverything);
  } catch (error) {
    const { code } = asFailure(error);
    // The service has already paused the lists of a suspended account.
    if (code !== "FORBIDDEN" && code !== "UNAUTHORIZED") throw error;
  }
}

/** Deletes expired lists, on any visit to the page, signed in or not. */
export async function deleteOldLists(): Promise<void> {
  await withStore((store) => store.deleteOld());
}

/** Deletes all stored lists: signing out leaves nothing behind. */
export function deleteLists(): void {
  setCurrentList(undefined);
  try {
    indexedDB.deleteDatabase(DATABASE);
  } catch {}
}
