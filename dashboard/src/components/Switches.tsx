import { ActionIcon, Button, Group, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { Icon } from "./Icon.tsx";

const texts = bilingual({
  toDark: ["Switch to dark colours", "Donkere kleuren gebruiken"],
  toLight: ["Switch to light colours", "Lichte kleuren gebruiken"],
  other: ["Nederlands", "English"],
});

export function Switches() {
  const t = useTexts(texts);
  const { language, setLanguage } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const isDark = scheme === "dark";
  const other = language === "en" ? "nl" : "en";
  const label = isDark ? t.toLight : t.toDark;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        fw={500}
        lang={other}
        onClick={() => setLanguage(other)}
      >
        {t.other}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        title={label}
        onClick={() => setColorScheme(isDark ? "light" : "dark")}
      >
        <Icon name={isDark ? "sun" : "moon"} />
      </ActionIcon>
    </Group>
  );
}
