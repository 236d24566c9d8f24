import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { readKeys } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { type ShownKey, useSession } from "../../session/session.tsx";
import { ChangeKey, CreateKey, NewKey, RevokeKey, RollKey } from "./KeyDialogs.tsx";
import { KeyList } from "./KeyTable.tsx";
import { texts } from "./texts.ts";

type Action =
  | { readonly what: "make" }
  | { readonly what: "change" | "roll" | "revoke"; readonly key: AccountKey };

export function KeysPage() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [page, setPage] = useState(1);
  const keys = useQuery(() => readKeys(page), String(page));
  // Kept while the dialog closes, so that its content stays.
  const [action, setAction] = useState<Action>({ what: "make" });
  const [isOpen, { open, close }] = useDisclosure();
  const { newKey, showNewKey } = useSession();
  const start = (next: Action) => {
    setAction(next);
    open();
  };
  const finish = () => {
    close();
    keys.reload();
  };
  const show = (made: ShownKey) => {
    showNewKey(made);
    // The new key is on the first page.
    setPage(1);
    finish();
  };
  const maxADay = keys.value && number(keys.value.maxADay);
  const dialog = { onClose: close, onDone: finish, onMade: show, maxADay };
  const { changeTitle, rollTitle, revokeTitle } = t;
  const titles = { change: changeTitle, roll: rollTitle, revoke: revokeTitle };
  const dialogs = { change: ChangeKey, roll: RollKey, revoke: RevokeKey };
  const isMaking = action.what === "make";
  const KeyDialog = isMaking ? undefined : dialogs[action.what];
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <KeyList
        keys={keys}
        page={page}
        onPage={setPage}
        title={t.list}
        none={t.none}
        aside={<Button onClick={() => start({ what: "make" })}>{t.make}</Button>}
        onAction={(what, key) => start({ what, key })}
      />
      <Dialog
        title={isMaking ? t.make : titles[action.what](action.key.name)}
        isOpen={isOpen}
        onClose={close}
      >
        {isMaking || KeyDialog === undefined ? (
          <CreateKey {...dialog} />
        ) : (
          <KeyDialog of={action.key} {...dialog} />
        )}
      </Dialog>
      <NewKey made={newKey} onClose={() => showNewKey(undefined)} />
    </>
  );
}
