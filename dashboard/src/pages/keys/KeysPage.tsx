import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { readKeys } from "../../api/account.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Nothing } from "../../components/Nothing.tsx";
import { Pages } from "../../components/Pages.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { type ShownKey, useSession } from "../../session/session.tsx";
import { ChangeKey } from "./ChangeKey.tsx";
import { KeyTable } from "./KeyTable.tsx";
import { MakeKey } from "./MakeKey.tsx";
import { NewKey } from "./NewKey.tsx";
import { RevokeKey } from "./RevokeKey.tsx";
import { RollKey } from "./RollKey.tsx";
import { texts } from "./texts.ts";

type Doing =
  | { readonly what: "make" }
  | { readonly what: "change" | "roll" | "revoke"; readonly key: AccountKey };

/** The keys of the account: make, replace, revoke. */
export function KeysPage() {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [page, setPage] = useState(1);
  const keys = useQuery(() => readKeys(page), String(page));
  const [doing, setDoing] = useState<Doing>();
  const { newKey, showNewKey } = useSession();
  const close = () => setDoing(undefined);
  const show = (made: ShownKey) => {
    close();
    showNewKey(made);
    // It stands on the first one.
    setPage(1);
    keys.reload();
  };
  const known = keys.now.state === "ready" ? keys.now.value : undefined;
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Section
        title={t.list}
        about={known === undefined ? "\u00a0" : t.count(number(known.live), number(known.mostLive))}
        aside={<Button onClick={() => setDoing({ what: "make" })}>{t.make}</Button>}
      >
        <Loaded of={keys} height={220}>
          {(value) =>
            value.total === 0 ? (
              <Nothing icon="key">{t.none}</Nothing>
            ) : (
              <Stack gap="md">
                <KeyTable
                  keys={value.keys}
                  onChange={(key) => setDoing({ what: "change", key })}
                  onRoll={(key) => setDoing({ what: "roll", key })}
                  onRevoke={(key) => setDoing({ what: "revoke", key })}
                />
                <Pages
                  label={t.pages}
                  total={value.total}
                  pageSize={value.pageSize}
                  page={page}
                  onChange={setPage}
                />
              </Stack>
            )
          }
        </Loaded>
      </Section>
      <MakeKey isOpen={doing?.what === "make"} onClose={close} onMade={show} mostADay={known?.mostADay} />
      <ChangeKey
        of={doing?.what === "change" ? doing.key : undefined}
        onClose={close}
        onChanged={() => {
          close();
          keys.reload();
        }}
      />
      <RollKey
        of={doing?.what === "roll" ? doing.key : undefined}
        onClose={close}
        onMade={show}
        mostADay={known?.mostADay}
      />
      <RevokeKey
        of={doing?.what === "revoke" ? doing.key : undefined}
        onClose={close}
        onRevoked={() => {
          close();
          keys.reload();
        }}
      />
      <NewKey made={newKey} onClose={() => showNewKey(undefined)} />
    </>
  );
}
