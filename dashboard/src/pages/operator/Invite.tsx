import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { AdminLink } from "../../../../src/contract/oneAccountResources.ts";
import { makeInvite } from "../../api/operator.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { useSession } from "../../session/session.tsx";
import { linkTexts } from "./linkTexts.ts";
import { NewLink } from "./NewLink.tsx";

interface Props {
  readonly tiers: readonly string[];
}

/** Makes an invite and shows it this once. */
export function Invite({ tiers }: Props) {
  const t = useTexts(linkTexts);
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<AdminLink>();
  const close = () => {
    setOpen(false);
    setMade(undefined);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.invite}</Button>
      <Dialog title={t.inviteTitle} isOpen={isOpen} onClose={close} isFirm={made !== undefined}>
        {made === undefined ? (
          <InviteForm tiers={tiers} onClose={close} onMade={setMade} />
        ) : (
          <NewLink about={t.inviteAbout} made={made} onClose={close} />
        )}
      </Dialog>
    </>
  );
}

interface FormProps extends Props {
  readonly onClose: () => void;
  readonly onMade: (made: AdminLink) => void;
}

function InviteForm({ tiers, onClose, onMade }: FormProps) {
  const t = useTexts(linkTexts);
  const { now } = useSession();
  const signup = now.state === "ready" ? now.value.signup : "invite";
  const [email, setEmail] = useState("");
  // The plans may arrive after the form was opened.
  const [chosen, setChosen] = useState<string>();
  const tier = chosen ?? tiers[0] ?? "";
  const making = useMutation(async () => onMade(await makeInvite(email.trim(), tier)));
  const send = (event: FormEvent) => {
    event.preventDefault();
    void making.run();
  };
  const says = { INVALID_REQUEST: t.emailWrong, RATE_LIMIT_EXCEEDED: t.tooMany };
  const code = making.failure?.code;
  return (
    <form noValidate onSubmit={send}>
      <Stack gap="lg">
        <Text>{t.inviteAbout}</Text>
        {signup === "invite" ? null : <Notice tone="info">{t[signup]}</Notice>}
        <Problem
          failure={making.failure}
          says={code === "INVALID_REQUEST" || code === "RATE_LIMIT_EXCEEDED" ? says[code] : undefined}
        />
        <TextInput
          type="email"
          label={t.email}
          description={t.emailAbout}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <NativeSelect
          label={t.plan}
          value={tier}
          data={tiers.map((name) => ({ value: name, label: planName(name) }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={making.isBusy} disabled={tier === ""}>
            {t.makeInvite}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
