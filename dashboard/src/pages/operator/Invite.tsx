import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { AdminLink } from "../../../../src/contract/oneAccountResources.ts";
import { makeInvite } from "../../api/operator.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { Form } from "../../forms/Form.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/names.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { useSession } from "../../session/session.tsx";
import { linkTexts } from "./linkTexts.ts";

interface Props {
  readonly tiers: readonly string[];
}

export function Invite({ tiers }: Props) {
  const t = useTexts(linkTexts);
  const [isOpen, { open, close }] = useDisclosure();
  const [made, setMade] = useState<AdminLink>();
  const start = () => {
    setMade(undefined);
    open();
  };
  return (
    <>
      <Button onClick={start}>{t.invite}</Button>
      <Dialog title={t.invite} isOpen={isOpen} onClose={close} isFirm={made !== undefined}>
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
  const signup = useSession().value?.signup ?? "invite";
  const [email, setEmail] = useState("");
  // The plans may load after the form was opened.
  const [chosen, setChosen] = useState<string>();
  const tier = chosen ?? tiers[0] ?? "";
  const making = useMutation(async () => onMade(await makeInvite(email.trim(), tier)));
  return (
    <Form
      sending={making}
      failureTexts={{ INVALID_REQUEST: t.emailWrong, RATE_LIMIT_EXCEEDED: t.tooMany }}
      isComplete={tier !== ""}
      button={t.makeInvite}
      onClose={onClose}
    >
      <Text>{t.inviteAbout}</Text>
      {signup === "invite" ? null : <Notice tone="info">{t[signup]}</Notice>}
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
    </Form>
  );
}

interface LinkProps {
  readonly about: string;
  readonly made: AdminLink;
  readonly onClose: () => void;
}

/** Shows a link that works once, inside a dialog that a click outside does not close. */
export function NewLink({ about, made, onClose }: LinkProps) {
  const t = useTexts(linkTexts);
  const { moment } = useLanguage().formats;
  return (
    <>
      <Text>{about}</Text>
      {/* Without PUBLIC_URL the service sends only a path. */}
      <Copyable label={t.link} text={new URL(made.link, location.origin).href} />
      <MutedText>{t.until(moment(made.expiresAt))}</MutedText>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t.done}</Button>
      </Group>
    </>
  );
}
