/** The list of each account, in the browser's own database, so that it survives a reload. */
import { changeJob, readJob, readResults, startJob } from "../../../../api/publicApi.ts";
import { kindOf } from "./added.ts";
import type { Answer, Choice, Choices } from "./answers.ts";
import { linesToSend } from "./files.ts";
import type { JobApi, ListStorage, StoredList } from "./jobApi.ts";
import { upgrade } from "./upgrade.ts";

export const DATABASE = "opzoek-lists";
const VERSION = 4;
/** Answers are stored in pieces, because writing or reading all of them at once would block the page. */
const ANSWERS_PER_PIECE = 500;

/** The lists stored in this browser, one per account. Every method throws if there is no storage. */
export class ListStore implements ListStorage {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Deleting the database on sign-out waits until all connections are closed.
    database.addEventListener("versionchange", () => database.close());
  }

  static async open(): Promise<ListStore> {
    const opening = indexedDB.open(DATABASE, VERSION);
    opening.addEventListener("upgradeneeded", ({ oldVersion }) => {
      if (opening.transaction !== null) upgrade(opening.result, opening.transaction, oldVersion);
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
    return this.#do("lists", "readonly", (lists) => lists.get(accountId));
  }

  async put(list: StoredList): Promise<void> {
    await this.#do("lists", "readwrite", (lists) => lists.put(list));
  }

  /** Reads the stored answers of a list. */
  async answers({ accountId, answered }: StoredList): Promise<readonly Answer[]> {
    const all: Answer[] = [];
    for (let piece = 0; all.length < answered; piece += 1) {
      const some = await this.#do<readonly Answer[] | undefined>("answers", "readonly", (answers) =>
        answers.get([accountId, piece]),
      );
      if (some === undefined) break;
      all.push(...some);
    }
    return all;
  }

  async putAnswers(accountId: string, all: readonly Answer[]): Promise<void> {
    for (let piece = 0; piece * ANSWERS_PER_PIECE < all.length; piece += 1) {
      const some = all.slice(piece * ANSWERS_PER_PIECE, (piece + 1) * ANSWERS_PER_PIECE);
      await this.#do("answers", "readwrite", (answers) => answers.put(some, [accountId, piece]));
    }
  }

  async choices(accountId: string): Promise<Choices> {
    const [keys, choices] = await Promise.all([
      this.#do("choices", "readonly", (store) => store.getAllKeys(allOf(accountId))),
      this.#do<Choice[]>("choices", "readonly", (store) => store.getAll(allOf(accountId))),
    ]);
    return new Map(
      keys.map((key, index) => [Array.isArray(key) ? String(key[1]) : "", choices[index] ?? null]),
    );
  }

  /** Stores the choice for a row; undefined takes it back. */
  async putChoice(accountId: string, key: string, choice: Choice | undefined): Promise<void> {
    await this.#do<IDBValidKey | undefined>("choices", "readwrite", (choices) =>
      choice === undefined ? choices.delete([accountId, key]) : choices.put(choice, [accountId, key]),
    );
  }

  async remove(accountId: string): Promise<void> {
    await this.#do("lists", "readwrite", (lists) => lists.delete(accountId));
    await this.#do("answers", "readwrite", (answers) => answers.delete(allOf(accountId)));
    await this.#do("choices", "readwrite", (choices) => choices.delete(allOf(accountId)));
  }

  /** Deletes the old lists of all accounts. */
  async deleteOld(): Promise<void> {
    const old = IDBKeyRange.upperBound(Date.now());
    const accountIds = await this.#do("lists", "readonly", (lists) =>
      lists.index("expiresAtMs").getAllKeys(old),
    );
    for (const accountId of accountIds) await this.remove(String(accountId));
  }

  #do<T>(
    name: "lists" | "answers" | "choices",
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => Pick<IDBRequest<T>, "result">,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(name, mode);
      const request = act(transaction.objectStore(name));
      transaction.addEventListener("complete", () => resolve(request.result));
      transaction.addEventListener("abort", () =>
        reject(transaction.error ?? new Error("the transaction was aborted")),
      );
    });
  }
}

/** The range of all keys [accountId, …]. */
const allOf = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []]);

/** The service's API for lists. */
export const JOB_API: JobApi = {
  start: async (list, { keys, idempotencyKey, maxTokens }) =>
    startJob(await linesToSend(list, keys), kindOf(list.adds, keys), idempotencyKey, maxTokens),
  read: readJob,
  change: changeJob,
  results: readResults,
};
