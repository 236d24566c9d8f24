import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { signOut } from "../api/account.ts";
import type { Failure } from "../api/failure.ts";
import { Dialog } from "../components/Dialog.tsx";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import { cancelList, hasStoredList } from "../pages/try/list/job/openList.ts";
import { useMutation } from "../queries/useMutation.ts";
import { linkTo } from "../router/router.ts";
import { usePerson, useSession } from "./session.tsx";

const texts = bilingual({
  title: ["Sign out and delete your list?", "Uitloggen en uw lijst verwijderen?"],
  about: [
    "This browser keeps a list with results. Signing out stops the list and deletes it with its results. Download the results first if you need them.",
    "In deze browser staat een lijst met resultaten. Als u uitlogt, wordt de lijst gestopt en met de resultaten verwijderd. Download de resultaten eerst als u ze nodig hebt.",
  ],
  stay: ["Stay signed in", "Ingelogd blijven"],
  toList: ["Go to the list", "Naar de lijst"],
  anyway: ["Sign out and delete", "Uitloggen en verwijderen"],
});

interface SigningOut {
  readonly run: () => void;
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  /** The confirmation dialog, to be rendered by the caller. */
  readonly question: ReactNode;
}

/** Signs out in this browser. It asks for confirmation if a list would be deleted. */
export function useSignOut(): SigningOut {
  const t = useTexts(texts);
  const { accountId } = usePerson();
  const { leave } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const signingOut = useMutation(async (isSure: boolean) => {
    if (!isSure && (await hasStoredList(accountId))) return setConfirming(true);
    setConfirming(false);
    await cancelList(accountId);
    await signOut();
    // Signing out leaves nothing in the browser; after a mere expiry a list continues.
    location.hash = linkTo("sign-in");
    leave("out");
  });
  const { isBusy, failure, run } = signingOut;
  const stay = () => setConfirming(false);
  const question = (
    <Dialog title={t.title} isOpen={isConfirming} onClose={stay}>
      <Text>{t.about}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={stay}>
          {t.stay}
        </Button>
        <Button component="a" variant="default" href={linkTo("try", "list")} onClick={stay}>
          {t.toList}
        </Button>
        <Button color="red.9" loading={isBusy} onClick={() => void run(true)}>
          {t.anyway}
        </Button>
      </Group>
    </Dialog>
  );
  return { run: () => void run(false), isBusy, failure, question };
}
