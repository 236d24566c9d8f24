/** The one list of each account that was begun, in the browser's own database: it is there after a reload, and nowhere else. */
import type { Answer } from "./answers.ts";
import { LISTS_DATABASE } from "./databaseName.ts";

/** What a list needs to go on beside its file and its answers: what was chosen, and how far it is. */
export interface KeptList {
  readonly accountId: string;
  readonly name: string;
  readonly sheet: number;
  readonly column: number;
  readonly headRow: number | undefined;
  readonly completes: boolean;
  readonly isEverything: boolean;
  readonly spent: number;
  /** How many numbers were being asked when this was written: their answers may be paid for and lost. */
  readonly underWay: number;
  readonly keptAtMs: number;
}

const LISTS = "lists";
/** The files are apart: a list is written with each part of it, its file once. */
const FILES = "files";
const ANSWERS = "answers";
/** A list that nobody worked on is deleted after a week. */
const KEEP_FOR_MS = 7 * 86_400_000;

interface KeptFile {
  readonly accountId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface KeptAnswers {
  readonly accountId: string;
  readonly answers: readonly Answer[];
}

/** A list as it was kept, with its file and every answer. */
export interface LoadedList {
  readonly list: KeptList;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly answers: readonly Answer[];
}

/** The lists that this browser keeps. Every method fails where the browser keeps nothing, and says so by throwing. */
export class ListStore {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Who signs out deletes the database: nothing may hold it open.
    database.addEventListener("versionchange", () => database.close());
  }

  static async open(): Promise<ListStore> {
    const opening = indexedDB.open(LISTS_DATABASE, 1);
    opening.addEventListener("upgradeneeded", () => {
      opening.result.createObjectStore(LISTS, { keyPath: "accountId" });
      opening.result.createObjectStore(FILES, { keyPath: "accountId" });
      const answers = opening.result.createObjectStore(ANSWERS, { autoIncrement: true });
      answers.createIndex("accountId", "accountId");
    });
    return new ListStore(await settled(opening));
  }

  /** Deletes the lists, of all accounts, that nobody worked on for a week. */
  async forgetOld(nowMs: number): Promise<void> {
    const lists = this.#database.transaction(LISTS).objectStore(LISTS);
    for (const { accountId, keptAtMs } of await settled<KeptList[]>(lists.getAll())) {
      if (nowMs - keptAtMs > KEEP_FOR_MS) await this.remove(accountId);
    }
  }

  /** Whether it keeps a list of the account. */
  async has(accountId: string): Promise<boolean> {
    const lists = this.#database.transaction(LISTS).objectStore(LISTS);
    return (await settled<IDBValidKey | undefined>(lists.getKey(accountId))) !== undefined;
  }

  close(): void {
    this.#database.close();
  }

  /** The list of an account with all its answers. */
  async load(accountId: string, nowMs: number): Promise<LoadedList | undefined> {
    await this.forgetOld(nowMs);
    const transaction = this.#database.transaction([LISTS, FILES, ANSWERS]);
    const [list, file, parts] = await Promise.all([
      settled<KeptList | undefined>(transaction.objectStore(LISTS).get(accountId)),
      settled<KeptFile | undefined>(transaction.objectStore(FILES).get(accountId)),
      settled<KeptAnswers[]>(transaction.objectStore(ANSWERS).index("accountId").getAll(accountId)),
    ]);
    if (list === undefined || file === undefined) return undefined;
    return { list, bytes: file.bytes, answers: parts.flatMap(({ answers }) => answers) };
  }

  /** Keeps a list in the place of the account's former one. */
  async begin(list: KeptList, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.remove(list.accountId);
    const transaction = this.#database.transaction([LISTS, FILES], "readwrite");
    transaction.objectStore(LISTS).put(list);
    const file: KeptFile = { accountId: list.accountId, bytes };
    transaction.objectStore(FILES).put(file);
    await committed(transaction);
  }

  /** Writes what changed of a list, and what it came to since; both or nothing. */
  async update(list: KeptList, answers: readonly Answer[] = []): Promise<void> {
    const transaction = this.#database.transaction([LISTS, ANSWERS], "readwrite");
    transaction.objectStore(LISTS).put(list);
    if (answers.length > 0) {
      const kept: KeptAnswers = { accountId: list.accountId, answers };
      transaction.objectStore(ANSWERS).add(kept);
    }
    await committed(transaction);
  }

  async remove(accountId: string): Promise<void> {
    const transaction = this.#database.transaction([LISTS, FILES, ANSWERS], "readwrite");
    transaction.objectStore(LISTS).delete(accountId);
    transaction.objectStore(FILES).delete(accountId);
    const answers = transaction.objectStore(ANSWERS);
    const keys = await settled(answers.index("accountId").getAllKeys(accountId));
    for (const key of keys) answers.delete(key);
    await committed(transaction);
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the browser keeps nothing")));
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error("the browser keeps nothing"));
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", fail);
    transaction.addEventListener("error", fail);
  });
}
