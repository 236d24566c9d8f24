/** The one list of each account, in the browser's own database, so that it survives a reload. */
import type { Answer } from "./answers.ts";
import type { Keeper, KeptList, LoadedList } from "./outside.ts";

/** The browser's database of lists. */
export const LISTS_DATABASE = "opzoek-lists";

const LISTS = "lists";
/** Apart from the lists, so that it is written only once. */
const FILES = "files";
const ANSWERS = "answers";
const DAY_MS = 86_400_000;
/** After its last change. A job that was not confirmed is sent again only while the service still knows the first one, at least a week. */
const KEEP_FOR_MS = 7 * DAY_MS;
/** A job ends within 35 days, and its results are kept for a week. */
const KEEP_OPEN_FOR_MS = 42 * DAY_MS;

interface KeptFile {
  readonly accountId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface KeptAnswers {
  readonly accountId: string;
  readonly answers: readonly Answer[];
}

/** The lists in this browser. Every method throws where the browser keeps nothing. */
export class ListStore implements Keeper {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Signing out deletes the database: nothing may hold it open.
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

  /** Deletes old lists of all accounts. */
  async forgetOld(nowMs: number): Promise<void> {
    const lists = this.#database.transaction(LISTS).objectStore(LISTS);
    for (const { accountId, keptAtMs, part } of await settled<KeptList[]>(lists.getAll())) {
      const keepForMs = part?.jobId === undefined ? KEEP_FOR_MS : KEEP_OPEN_FOR_MS;
      if (nowMs - keptAtMs > keepForMs) await this.remove(accountId);
    }
  }

  async find(accountId: string): Promise<KeptList | undefined> {
    return settled(this.#database.transaction(LISTS).objectStore(LISTS).get(accountId));
  }

  close(): void {
    this.#database.close();
  }

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

  async begin(list: KeptList, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.remove(list.accountId);
    const transaction = this.#database.transaction([LISTS, FILES], "readwrite");
    transaction.objectStore(LISTS).put(list);
    const file: KeptFile = { accountId: list.accountId, bytes };
    transaction.objectStore(FILES).put(file);
    await committed(transaction);
  }

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
