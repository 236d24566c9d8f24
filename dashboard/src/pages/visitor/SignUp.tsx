import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { signIn, signUp } from "../../api/account.ts";
import { asFailure } from "../../api/failure.ts";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useNewPassword } from "../../password/useNewPassword.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { goTo, linkTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { looksLikeEmail } from "./looksLikeEmail.ts";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

interface Props {
  readonly state: SessionState;
  readonly invite: string | undefined;
}

/** A new account, where the operator lets anybody or this invite in. */
export function SignUp({ state, invite }: Props) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const { take } = useSession();
  const [email, setEmail] = useState("");
  const [isChecked, setChecked] = useState(false);
  /** The address that was sent last. */
  const [refused, setRefused] = useState("");
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
  const isRefused = sending.failure?.field === "email" && refused === email;
  const emailError = !isChecked
    ? undefined
    : looksLikeEmail(email)
      ? isRefused
        ? t.emailRefused
        : undefined
      : t.emailBad;
  const send = () => {
    setChecked(true);
    setRefused(email);
    if (chosen.check() && looksLikeEmail(email)) void sending.run();
  };
  if (isMailed) {
    return (
      <Stack gap="lg">
        <PageTitle title={t.mailSent} about={t.confirmSent(email.trim())} />
        <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>
      </Stack>
    );
  }
  const barred = state.signup === "closed" ? t.closed : state.signup === "invite" ? t.needsInvite : undefined;
  if (barred !== undefined && invite === undefined) {
    return (
      <Stack gap="lg">
        <PageTitle title={t.signUpTitle} about={barred} />
        <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>
      </Stack>
    );
  }
  return (
    <VisitorForm
      title={t.signUpTitle}
      about={invite === undefined ? undefined : t.invited}
      notices={isTaken ? <Notice tone="bad">{t.taken}</Notice> : null}
      failure={chosen.error === undefined && emailError === undefined ? sending.failure : undefined}
      says={sending.failure?.code === "FORBIDDEN" ? t.inviteBad : undefined}
      button={t.signUp}
      isBusy={sending.isBusy}
      onSend={send}
      email={{ value: email, onChange: setEmail, error: emailError }}
      password={{ label: t.password, ...chosen.field }}
    >
      <Text size="sm" c="dimmed">
        {t.haveAccount}{" "}
        <Anchor href={linkTo("sign-in")} inherit>
          {t.signIn}
        </Anchor>
      </Text>
    </VisitorForm>
  );
}

/** Signs in where no mail comes between; undefined when the address has another password. */
async function signedIn(email: string, password: string): Promise<SessionState | undefined> {
  try {
    return await signIn(email, password);
  } catch (error) {
    if (asFailure(error).code === "UNAUTHORIZED") return undefined;
    throw error;
  }
}
