import { Anchor, Group } from "@mantine/core";
import { readAccount } from "../../../api/operator.ts";
import { Loaded } from "../../../components/Loaded.tsx";
import { PageTitle } from "../../../components/PageTitle.tsx";
import { useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { linkTo } from "../../../router/router.ts";
import { Calls } from "./Calls.tsx";
import { Keys } from "./Keys.tsx";
import { Note } from "./Note.tsx";
import { Overview } from "./Overview.tsx";
import { Sessions } from "./Sessions.tsx";
import { texts } from "./texts.ts";
import { Use } from "./Use.tsx";

/** One account: what it is, what can be done for it, and what it does. */
export function AccountPage({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const account = useQuery(() => readAccount(id));
  const { now } = account;
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
      <PageTitle title={now.state === "ready" ? now.value.email : t.title} about={id} />
      <Loaded of={account} height={720} says={() => (isGone ? t.gone : undefined)}>
        {(value) => (
          <>
            <Overview account={value} onChanged={account.reload} />
            <Sessions account={value} onEnded={account.take} />
            <Note account={value} onChanged={account.take} />
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
