import { Button, Group, Text } from "@mantine/core";
import type { AdminLink } from "../../../../src/contract/oneAccountResources.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { linkTexts } from "./linkTexts.ts";

interface Props {
  readonly about: string;
  readonly made: AdminLink;
  readonly onClose: () => void;
}

/** A link that works once, shown this once. Put it into a dialog that a stray click does not close. */
export function NewLink({ about, made, onClose }: Props) {
  const t = useTexts(linkTexts);
  const { moment } = useLanguage().formats;
  return (
    <>
      <Text>{about}</Text>
      {/* Without PUBLIC_URL the service knows no address of its own: then it is the one that this page has. */}
      <Copyable label={t.link} text={new URL(made.link, location.origin).href} />
      <Text size="sm" c="dimmed">
        {t.until(moment(made.expiresAt))}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t.done}</Button>
      </Group>
    </>
  );
}
