import { Anchor, Group } from "@mantine/core";
import { useState } from "react";
import { readAccount, readCallsOf, readKeysOf } from "../../../api/operator.ts";
import { Loaded } from "../../../components/Loaded.tsx";
import { PageTitle } from "../../../components/PageTitle.tsx";
import { useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { linkTo } from "../../../router/router.ts";
import { CallList, useCalls } from "../../calls/CallList.tsx";
import { KeyList } from "../../keys/KeyTable.tsx";
import { Note } from "./Note.tsx";
import { Overview } from "./Overview.tsx";
import { texts } from "./texts.ts";
import { Use } from "./Use.tsx";
import { Sessions } from "./WaysIn.tsx";

interface Props {
  readonly id: string;
}

/** One account: its facts, what can be changed, and its keys, usage and calls. */
export function AccountPage({ id }: Props) {
  const t = useTexts(texts);
  const account = useQuery(() => readAccount(id));
  const { now, value } = account;
  const isGone = now.state === "failed" && now.failure.code === "NOT_FOUND";
  return (
    <>
      <Group gap="lg">
        <Anchor href={linkTo("operator")} size="sm">
          {t.back}
        </Anchor>
        <Anchor href={linkTo("operator", "audit", id)} size="sm">
          {t.audit}
        </Anchor>
      </Group>
      <PageTitle title={value?.email ?? t.title} about={id} />
      <Loaded of={account} height={720} says={() => (isGone ? t.gone : undefined)}>
        {(known) => (
          <>
            <Overview account={known} onChanged={account.reload} />
            <Sessions account={known} onEnded={account.take} />
            <Note account={known} onChanged={account.take} />
          </>
        )}
      </Loaded>
      {isGone ? null : (
        <>
          <Keys id={id} />
          <Use id={id} />
          <Calls id={id} />
        </>
      )}
    </>
  );
}

function Keys({ id }: Props) {
  const t = useTexts(texts);
  const [page, setPage] = useState(1);
  const keys = useQuery(() => readKeysOf(id, page), String(page));
  return <KeyList keys={keys} page={page} onPage={setPage} title={t.keys} none={t.noKeys} />;
}

function Calls({ id }: Props) {
  const t = useTexts(texts);
  return <CallList {...useCalls((asked) => readCallsOf(id, asked))} off={t.callsOff} />;
}
