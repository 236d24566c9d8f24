import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { rollKey } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import type { ShownKey } from "../../session/session.tsx";
import { keyProblem } from "./keyProblem.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly of: AccountKey | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: ShownKey) => void;
  /** Keys that may be made a day; undefined until that is known. */
  readonly mostADay: number | undefined;
}

const OVERLAPS = [
  ["0", "now"],
  ["1", "hour"],
  ["24", "day"],
] as const;

/** Puts another key in the place of one, which works on for as long as is chosen. */
export function RollKey({ of, onClose, onMade, mostADay }: Props) {
  const t = useTexts(texts);
  const { formats } = useLanguage();
  const [hours, setHours] = useState("24");
  const rolling = useMutation(async () => {
    if (of === undefined) return;
    onMade({ ...(await rollKey(of.id, Number(hours))), mayLookUp: of.browser?.mayLookUp === true });
  });
  const close = () => {
    rolling.forget();
    onClose();
  };
  return (
    <Dialog title={t.rollTitle(of?.name ?? "")} isOpen={of !== undefined} onClose={close}>
      <Problem failure={rolling.failure} says={keyProblem(rolling.failure, t, formats, mostADay)} />
      <Text>{t.rollAbout}</Text>
      <Radio.Group label={t.overlap} value={hours} onChange={setHours}>
        <Stack gap="sm" mt="xs">
          {OVERLAPS.map(([value, name]) => (
            <Radio key={value} value={value} label={t.overlaps[name]} />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button loading={rolling.isBusy} onClick={() => rolling.run()}>
          {t.rollButton}
        </Button>
      </Group>
    </Dialog>
  );
}
