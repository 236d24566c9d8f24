import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { confirmEmail } from "../../api/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { goTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { KnownPassword } from "./KnownPassword.tsx";
import { texts } from "./texts.ts";

/** Where the link leads that a change of address sends to the new one. */
export function ConfirmEmail({ token }: { readonly token: string }) {
  const t = useTexts(texts);
  const { reload } = useSession();
  const [isDone, setDone] = useState(false);
  const goOn = () => {
    reload();
    goTo("start");
  };
  if (isDone) {
    return (
      <Stack gap="lg">
        <PageTitle title={t.emailTitle} />
        <Notice tone="good">{t.emailDone}</Notice>
        <Button size="md" onClick={goOn}>
          {t.goOn}
        </Button>
      </Stack>
    );
  }
  return (
    <KnownPassword
      title={t.emailTitle}
      about={t.emailAbout}
      button={t.emailConfirm}
      refused={t.emailBadLink}
      onSend={async (password) => {
        await confirmEmail(token, password);
        setDone(true);
      }}
    />
  );
}
