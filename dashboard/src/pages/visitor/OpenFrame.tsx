import "./frame.css";
import { Anchor, Box, Button, Container, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Away } from "../../components/Away.tsx";
import { DemoNote, Foot } from "../../components/Foot.tsx";
import { Guard } from "../../components/Guard.tsx";
import { Logo } from "../../components/Logo.tsx";
import { Switches } from "../../components/Switches.tsx";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../../router/router.ts";
import { texts } from "./texts.ts";

/** Around what everybody may read without an account. */
export function OpenFrame({ children }: { readonly children: ReactNode }) {
  const t = useTexts(texts);
  return (
    <Box className="frame">
      <Group component="header" justify="space-between" gap={4} className="frame-head">
        <Anchor href="#/" aria-label="Opzoek" underline="never" c="inherit">
          <Logo />
        </Anchor>
        <Group gap={4}>
          <Anchor href="/docs" size="sm" visibleFrom="xs" mr="xs">
            {t.docs}
          </Anchor>
          <Switches />
          <Button component="a" href={linkTo("sign-in")} size="xs" px="sm" variant="default">
            {t.signIn}
          </Button>
        </Group>
      </Group>
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
