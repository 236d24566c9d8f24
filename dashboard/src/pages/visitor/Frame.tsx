import "./frame.css";
import { Anchor, Box, Group, List, Stack, Text, ThemeIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { Away } from "../../components/Away.tsx";
import { DemoNote, Foot } from "../../components/Foot.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Logo } from "../../components/Logo.tsx";
import { CONTENT, Skip } from "../../components/Skip.tsx";
import { Switches } from "../../components/Switches.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

/** Around what a visitor does: what this is, and one card. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const t = useTexts(texts);
  return (
    <Box className="frame">
      <Skip />
      <Group component="header" justify="space-between" className="frame-head">
        <Logo />
        <Group gap="xs">
          <Anchor href="/docs" size="sm" visibleFrom="xs">
            {t.docs}
          </Anchor>
          <Switches />
        </Group>
      </Group>
      <main className="frame-main" id={CONTENT} tabIndex={-1}>
        <Stack gap="lg" className="frame-promise">
          <Text component="p" className="promise">
            {t.promise}
          </Text>
          <List
            spacing="md"
            center
            c="dimmed"
            icon={
              <ThemeIcon variant="light" size={28} radius="xl">
                <Icon name="check" size={16} />
              </ThemeIcon>
            }
          >
            <List.Item>{t.points.find}</List.Item>
            <List.Item>{t.points.check}</List.Item>
            <List.Item>{t.points.pay}</List.Item>
          </List>
        </Stack>
        <Stack gap="lg">
          <DemoNote />
          <Away />
          <Box className="surface frame-card">{children}</Box>
        </Stack>
      </main>
      <Foot />
    </Box>
  );
}
