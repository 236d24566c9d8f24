import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { changeKey, makeKey, revokeKey, rollKey } from "../../api/account.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Form } from "../../forms/Form.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import type { ShownKey } from "../../session/session.tsx";
import { elementHtml, elementTexts } from "../../snippets/elementHtml.ts";
import { KeyForm } from "./KeyForm.tsx";
import { keyFailureTexts } from "./keyFailureTexts.ts";
import { changeOf, fieldsOf, type KeyFields, NO_FIELDS } from "./keyFields.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly onClose: () => void;
  /** Called when a key was changed or revoked. */
  readonly onDone: () => void;
  /** Called with a new key, to show it. */
  readonly onMade: (made: ShownKey) => void;
  /** Maximum number of keys created per day; undefined while loading. */
  readonly maxADay: string | undefined;
}

type OfKey = Props & { readonly of: AccountKey };

export function CreateKey({ onClose, onMade, maxADay }: Props) {
  const t = useTexts(texts);
  const making = useMutation(async (fields: KeyFields) => {
    const made = await makeKey({ ...changeOf(fields, NO_FIELDS), kind: fields.kind });
    onMade({ ...made, mayLookUp: fields.mayLookUp });
  });
  const failureTexts = keyFailureTexts(making.failure, t, maxADay);
  return (
    <KeyForm
      before={NO_FIELDS}
      isNew
      sending={making}
      failureTexts={failureTexts}
      button={t.makeButton}
      onClose={onClose}
    />
  );
}

/** Changes the name, expiry or bounds of a key. */
export function ChangeKey({ of, onClose, onDone }: OfKey) {
  const t = useTexts(texts);
  const changing = useMutation(async (fields: KeyFields) => {
    await changeKey(of.id, changeOf(fields, fieldsOf(of)));
    onDone();
  });
  const refused = changing.failure?.field === "origins" ? t.originsRefused : undefined;
  return (
    <>
      <MutedText>{t.changeAbout}</MutedText>
      <KeyForm
        before={fieldsOf(of)}
        sending={changing}
        failureTexts={{ NOT_FOUND: t.gone, INVALID_REQUEST: refused }}
        button={t.save}
        onClose={onClose}
      />
    </>
  );
}

const OVERLAPS = [
  ["0", "now"],
  ["1", "hour"],
  ["24", "day"],
] as const;

/** Replaces a key by a new one; the old one keeps working for the chosen time. */
export function RollKey({ of, onClose, onMade, maxADay }: OfKey) {
  const t = useTexts(texts);
  const [hours, setHours] = useState("24");
  const rolling = useMutation(async () =>
    onMade({ ...(await rollKey(of.id, Number(hours))), mayLookUp: of.browser?.mayLookUp === true }),
  );
  const failureTexts = keyFailureTexts(rolling.failure, t, maxADay);
  return (
    <Form sending={rolling} failureTexts={failureTexts} button={t.rollButton} onClose={onClose}>
      <Text>{t.rollAbout}</Text>
      <Radio.Group label={t.overlap} value={hours} onChange={setHours}>
        <Stack gap="sm" mt="xs">
          {OVERLAPS.map(([value, name]) => (
            <Radio key={value} value={value} label={t.overlaps[name]} />
          ))}
        </Stack>
      </Radio.Group>
    </Form>
  );
}

export function RevokeKey({ of, onClose, onDone }: OfKey) {
  const t = useTexts(texts);
  const revoking = useMutation(async () => {
    await revokeKey(of.id);
    onDone();
  });
  const failureTexts = keyFailureTexts(revoking.failure, t);
  return (
    <Form
      sending={revoking}
      failureTexts={failureTexts}
      button={t.revokeButton}
      isDangerous
      onClose={onClose}
      focusesCancel
    >
      <Text>{t.revokeAbout}</Text>
    </Form>
  );
}

interface NewKeyProps {
  readonly made: ShownKey | undefined;
  readonly onClose: () => void;
}

/** Shows a new key once; a browser key also as HTML to paste. A click outside does not close it. */
export function NewKey({ made, onClose }: NewKeyProps) {
  const t = useTexts(texts);
  const { language, formats } = useLanguage();
  const { moment } = formats;
  const hasEnded = made?.replaces && Date.parse(made.replaces.endsAt) <= Date.parse(made.createdAt);
  return (
    <Dialog title={t.newTitle} isOpen={made !== undefined} onClose={onClose} isFirm>
      <Text>{made?.kind === "pub" ? t.newBrowserAbout : t.newAbout}</Text>
      <Copyable label={t.key} text={made?.key ?? ""} />
      {made?.kind === "pub" ? (
        <Copyable
          label={t.elementHtml}
          text={elementHtml(elementTexts[language], language, made.key, made.mayLookUp)}
        />
      ) : null}
      {made?.replaces === undefined ? null : (
        <MutedText>{hasEnded ? t.oldEnded : t.oldEnds(moment(made.replaces.endsAt))}</MutedText>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t.done}</Button>
      </Group>
    </Dialog>
  );
}
