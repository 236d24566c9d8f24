/**
 * Locks the account's list against other tabs of this browser. `waits` is called if one holds it. The signal releases
 * the lock.
 */
export async function lockOf(accountId: string, signal: AbortSignal, waits: () => void): Promise<void> {
  // Browsers have locks in secure contexts only; plain HTTP is for the local machine.
  if (!("locks" in navigator)) return;
  const released = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  const request = (options: { readonly ifAvailable?: true; readonly signal?: AbortSignal }) =>
    new Promise<boolean>((resolve, reject) => {
      const hold = (lock: unknown) => {
        resolve(lock !== null);
        return lock === null ? undefined : released;
      };
      navigator.locks.request(`opzoek-list-${accountId}`, options, hold).catch(reject);
    });
  if (await request({ ifAvailable: true })) return;
  waits();
  await request({ signal });
}
