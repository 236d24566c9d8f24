import "./frame.css";
import { Anchor, Box, Button, Container, Group, List, Stack, Text, ThemeIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorBoundary } from "../../components/ErrorBoundary.tsx";
import { DemoNote, Footer } from "../../components/Footer.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Logo } from "../../components/Logo.tsx";
import { OutageNotice } from "../../components/OutageNotice.tsx";
import { CONTENT, SkipLink } from "../../components/SkipLink.tsx";
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
      <SkipLink />
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
          <OutageNotice />
          <Box className="surface frame-card">{children}</Box>
        </Stack>
      </main>
      <Footer />
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
          <OutageNotice />
          <ErrorBoundary>{children}</ErrorBoundary>
        </Stack>
      </Container>
      <Footer />
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
