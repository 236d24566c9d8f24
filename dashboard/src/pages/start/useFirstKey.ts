import { useEffect } from "react";
import type { NewAccountKey } from "../../../../src/contract/keyResources.ts";
import { takeFirstKey } from "../../api/account.ts";
import { asFailure } from "../../api/failure.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { usePerson, useSession } from "../../session/session.tsx";

/** Takes the account's first key, which is given once, when there was none before. */
export function useFirstKey() {
  const { mayTakeFirstKey } = usePerson();
  const { shownKey, showKey, reload } = useSession();
  const taking = useMutation(async () => {
    try {
      showKey(await takeFirstKey());
    } catch (error) {
      // Another window was first, and shows it.
      if (asFailure(error).code !== "FORBIDDEN") throw error;
    }
    reload();
  });
  const { run } = taking;
  const isDue = mayTakeFirstKey && shownKey === undefined;
  useEffect(() => {
    if (isDue) void run();
  }, [isDue, run]);
  const key: NewAccountKey | undefined = shownKey;
  return { key, isDue, taking };
}
