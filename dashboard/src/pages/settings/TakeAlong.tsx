import { Button, Group } from "@mantine/core";
import { EXPORT } from "../../api/account.ts";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

/** What is held of the person, as a file. */
export function TakeAlong() {
  const t = useTexts(texts);
  return (
    <Section title={t.takeAlong} about={t.takeAlongAbout}>
      <Group>
        <Button component="a" href={EXPORT} download variant="default">
          {t.download}
        </Button>
      </Group>
    </Section>
  );
}
