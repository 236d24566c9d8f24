import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { AdminAccount, AdminLink } from "../../../../../src/contract/oneAccountResources.ts";
import { makePasswordLink, resetTwoFactor } from "../../../api/operator.ts";
import { Dialog } from "../../../components/Dialog.tsx";
import { PasswordForm } from "../../../forms/PasswordForm.tsx";
import { useTexts } from "../../../language/language.tsx";
import { NewLink } from "../Invite.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly account: AdminAccount;
  readonly onChanged: () => void;
}

type Asking = "link" | "twoFactor";

/** For who cannot sign in any more: a link for a new password, and signing in without a lost device. */
export function WaysIn({ account: { id, email, twoFactor }, onChanged }: Props) {
  const t = useTexts(texts);
  const [asking, setAsking] = useState<Asking>();
  const [made, setMade] = useState<AdminLink>();
  const close = () => {
    setAsking(undefined);
    setMade(undefined);
  };
  const send = async (password: string) => {
    if (asking === "link") return setMade(await makePasswordLink(id, password));
    await resetTwoFactor(id, password);
    close();
    onChanged();
  };
  const says = asking === "twoFactor" ? t.resetTwoFactor : t.passwordLink;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking("link")}>
        {t.passwordLink.open}
      </Button>
      {twoFactor.isOn ? (
        <Button size="xs" variant="default" className="danger" onClick={() => setAsking("twoFactor")}>
          {t.resetTwoFactor.open}
        </Button>
      ) : null}
      <Dialog
        title={says.title(email)}
        isOpen={asking !== undefined}
        onClose={close}
        isFirm={made !== undefined}
      >
        {made === undefined ? (
          <PasswordForm
            label={t.ownPassword}
            act={send}
            says={{ FORBIDDEN: t.passwordWrong }}
            button={says.button}
            onClose={close}
          >
            <Text>{says.about}</Text>
          </PasswordForm>
        ) : (
          <NewLink about={t.passwordLink.made} made={made} onClose={close} />
        )}
      </Dialog>
    </>
  );
}
