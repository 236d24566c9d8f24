/** Resolves when no other page of this browser has the account's list; `waits` is called if one has. The signal gives it back. */
export async function lockOf(accountId: string, signal: AbortSignal, waits: () => void): Promise<void> {
  // Browsers have locks in secure contexts only; over plain HTTP the service is used on its own machine.
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
