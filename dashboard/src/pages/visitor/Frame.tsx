import "./frame.css";
import { Anchor, Box, Button, Container, Group, List, Stack, Text, ThemeIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { Away } from "../../components/Away.tsx";
import { DemoNote, Foot } from "../../components/Foot.tsx";
import { Guard } from "../../components/Guard.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Logo } from "../../components/Logo.tsx";
import { CONTENT, Skip } from "../../components/Skip.tsx";
import { Switches } from "../../components/Switches.tsx";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../../router/router.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly children: ReactNode;
}

/** The frame of a visitor's form: a summary of the service next to one card. */
export function Frame({ children }: Props) {
  const t = useTexts(texts);
  return (
    <Box className="frame">
      <Skip />
      <Head logo={<Logo />} />
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

/** The frame of screens that need no account. */
export function OpenFrame({ children }: Props) {
  const t = useTexts(texts);
  return (
    <Box className="frame">
      <Head
        logo={
          <Anchor href="#/" aria-label="Opzoek" underline="never" c="inherit">
            <Logo />
          </Anchor>
        }
      >
        <Button component="a" href={linkTo("sign-in")} size="xs" px="sm" variant="default">
          {t.signIn}
        </Button>
      </Head>
      <Container component="main" size={1080} w="100%" px={{ base: "md", sm: "xl" }} py="lg">
        <Stack gap="xl">
          <DemoNote />
          <Away />
          <Guard>{children}</Guard>
        </Stack>
      </Container>
      <Foot />
    </Box>
  );
}

function Head({ logo, children }: { readonly logo: ReactNode; readonly children?: ReactNode }) {
  const t = useTexts(texts);
  return (
    <Group component="header" justify="space-between" gap={4} className="frame-head">
      {logo}
      <Group gap={4}>
        <Anchor href="/docs" size="sm" visibleFrom="xs" mr="xs">
          {t.docs}
        </Anchor>
        <Switches />
        {children}
      </Group>
    </Group>
  );
}
