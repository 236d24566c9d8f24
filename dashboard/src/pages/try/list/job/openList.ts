/** The open list. Also ends and deletes stored lists: on sign-out, or when they have expired. */
import { asFailure } from "../../../../api/failure.ts";
import type { CompanyList } from "./companyList.ts";
import { cancelJob } from "./jobApi.ts";
import { DATABASE, JOB_API, ListStore } from "./store.ts";

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
    await cancelJob(JOB_API, list, list.sent);
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
