import { Anchor } from "@mantine/core";
import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { signIn, signUp } from "../../api/account.ts";
import { asFailure } from "../../api/failure.ts";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { EmailField, PasswordField } from "../../forms/fields.tsx";
import { useNewPassword } from "../../forms/useNewPassword.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { goTo, linkTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";
import { VisitorForm, VisitorMessage } from "./VisitorForm.tsx";

interface Props {
  readonly state: SessionState;
  readonly invite: string | undefined;
}

/** Creates an account, if the operator allows it for everyone or for this invite. */
export function SignUp({ state, invite }: Props) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const { take } = useSession();
  const [email, setEmail] = useState("");
  const [isMailed, setMailed] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const sending = useMutation(async () => {
    setTaken(false);
    const body = { email: email.trim(), password: chosen.value, language };
    const { next } = await signUp(invite === undefined ? body : { ...body, invite });
    if (next === "confirm") return setMailed(true);
    const opened = await signedIn(body.email, body.password);
    if (opened === undefined) return setTaken(true);
    take(opened);
    goTo("start");
  });
  const chosen = useNewPassword(sending.failure);
  const isGood = looksLikeEmail(email);
  const refused = sending.failure?.field === "email" ? t.emailRefused : undefined;
  const closed = { open: undefined, closed: t.closed, invite: t.needsInvite }[state.signup];
  if (isMailed) return <VisitorMessage key="mailed" title={t.mailSent} about={t.confirmSent(email.trim())} />;
  if (closed !== undefined && invite === undefined) return <VisitorMessage title={t.signUp} about={closed} />;
  return (
    <VisitorForm
      title={t.signUp}
      about={invite === undefined ? undefined : t.invited}
      notices={isTaken ? <Notice tone="error">{t.taken}</Notice> : null}
      sending={sending}
      failureTexts={{ FORBIDDEN: t.inviteBad }}
      isComplete={isGood && chosen.isGood}
      button={t.signUp}
      fields={(isChecked) => (
        <>
          <EmailField
            value={email}
            onChange={setEmail}
            error={isChecked ? (isGood ? refused : t.emailBad) : undefined}
            autoComplete="username"
          />
          <PasswordField label={t.password} {...chosen.field(isChecked)} />
        </>
      )}
    >
      <MutedText>
        {t.haveAccount}{" "}
        <Anchor href={linkTo("sign-in")} inherit>
          {t.signIn}
        </Anchor>
      </MutedText>
    </VisitorForm>
  );
}

/** Whether a text looks like an address; the service decides. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(text.trim());
}

/** Signs in if no email confirmation is needed; undefined if the address has another password. */
async function signedIn(email: string, password: string): Promise<SessionState | undefined> {
  try {
    return await signIn(email, password);
  } catch (error) {
    if (asFailure(error).code === "UNAUTHORIZED") return undefined;
    throw error;
  }
}
