/** Creates the database of lists, and converts the lists of an earlier version of the page. */
import type { Answer } from "./answers.ts";
import type { StoredList } from "./jobApi.ts";

/** A list as version 2 stored it: numbers to look up, with all answers in one record. */
interface ListOfVersion2
  extends Pick<StoredList, "accountId" | "name" | "bytes" | "sheet" | "spent" | "expiresAtMs"> {
  readonly column: number;
  readonly headRow: number | undefined;
  readonly completes: boolean;
  readonly isEverything: boolean;
  readonly answers: readonly ({ readonly number: string } & Record<string, unknown>)[];
  readonly sent?: { readonly key: string; readonly numbers: readonly string[]; readonly jobId?: string };
}

/** How version 3 read a list of numbers. */
type LookupReading = Pick<ListOfVersion2, "column" | "headRow" | "completes"> & { readonly kind: "lookup" };
type ListOfVersion3 = Omit<StoredList, "reading"> & {
  readonly reading: StoredList["reading"] | LookupReading;
};

export function upgrade(database: IDBDatabase, transaction: IDBTransaction, oldVersion: number): void {
  if (oldVersion < 2) {
    for (const name of [...database.objectStoreNames]) database.deleteObjectStore(name);
    database.createObjectStore("lists", { keyPath: "accountId" }).createIndex("expiresAtMs", "expiresAtMs");
  }
  if (oldVersion < 3) for (const name of ["answers", "choices"]) database.createObjectStore(name);
  if (oldVersion < 2) return;
  const answers = transaction.objectStore("answers");
  const walking = transaction.objectStore("lists").openCursor();
  walking.addEventListener("success", () => {
    const cursor = walking.result;
    if (cursor === null) return;
    const old = cursor.value as ListOfVersion2 | ListOfVersion3;
    if ("answers" in old) {
      const all = old.answers.map(({ number, ...answer }) => ({ key: number, ...answer }) as Answer);
      answers.put(all, [old.accountId, 0]);
    }
    cursor.update("answers" in old ? converted(old) : { ...old, reading: readingOf(old.reading) });
    cursor.continue();
  });
}

function readingOf(reading: ListOfVersion3["reading"]): StoredList["reading"] {
  if (reading.kind !== "lookup") return reading;
  const { column: kvkNumber, ...rest } = reading;
  return { ...rest, kind: "list", columns: { kvkNumber } };
}

function converted({
  column,
  headRow,
  completes,
  isEverything,
  answers,
  sent,
  ...rest
}: ListOfVersion2): StoredList {
  return {
    ...rest,
    reading: readingOf({ kind: "lookup", column, headRow, completes }),
    adds: isEverything ? "everything" : "basic",
    answered: answers.length,
    ...(sent !== undefined && {
      sent: {
        idempotencyKey: sent.key,
        keys: sent.numbers,
        ...(sent.jobId !== undefined && { jobId: sent.jobId }),
      },
    }),
  };
}
