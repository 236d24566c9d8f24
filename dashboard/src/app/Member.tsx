import { AppShell, Box, Burger, Container, Group, Stack } from "@mantine/core";
import type { JSX } from "react";
import { Away } from "../components/Away.tsx";
import { DemoNote, Foot } from "../components/Foot.tsx";
import { Guard } from "../components/Guard.tsx";
import { Later, type Part } from "../components/Later.tsx";
import { Logo } from "../components/Logo.tsx";
import { Notice } from "../components/Notice.tsx";
import { CONTENT, Skip } from "../components/Skip.tsx";
import { useTexts } from "../language/language.tsx";
import { KeysPage } from "../pages/keys/KeysPage.tsx";
import { PlanPage } from "../pages/plan/PlanPage.tsx";
import { SettingsPage } from "../pages/settings/SettingsPage.tsx";
import { StartPage } from "../pages/start/StartPage.tsx";
import { StatusPage } from "../pages/status/StatusPage.tsx";
import { TryPage } from "../pages/try/TryPage.tsx";
import type { Route, Screen } from "../router/router.ts";
import { usePerson } from "../session/session.tsx";
import { WaitingRequests } from "../session/waitingRequests.tsx";
import { Rail } from "./Rail.tsx";
import { texts } from "./texts.ts";
import { usePhoneMenu } from "./usePhoneMenu.ts";

// Charts and the operator's views are large or rarely used, so they are loaded on demand.
const USAGE: Part = {
  name: "usage",
  load: async () => (await import("../pages/usage/UsagePage.tsx")).UsagePage,
};
const CALLS: Part = {
  name: "calls",
  load: async () => (await import("../pages/calls/CallsPage.tsx")).CallsPage,
};
const OPERATOR: Part = {
  name: "operator",
  load: async () => (await import("../pages/operator/OperatorPage.tsx")).OperatorPage,
};

/** The screens of a signed-in person, with the navigation. */
export function Member({ route }: { readonly route: Route }) {
  const t = useTexts(texts);
  const person = usePerson();
  const { isOpen, isHidden, toggle, close, button, menu, keepTab } = usePhoneMenu();
  const screen = memberScreen(route.screen, person.isAdmin);
  const shell = (
    <AppShell
      header={{ height: { base: 60, md: 0 } }}
      navbar={{ width: 256, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={0}
      onKeyDown={keepTab}
    >
      <Box inert={isOpen}>
        <Skip />
      </Box>
      <AppShell.Header className="rail" hiddenFrom="md">
        <Group h="100%" px="md" justify="space-between">
          <Logo />
          <Burger
            ref={button}
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label={t.menu}
            aria-expanded={isOpen}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="rail" ref={menu} inert={isHidden}>
        <Rail screen={screen} onFollow={close} />
      </AppShell.Navbar>
      <AppShell.Main id={CONTENT} tabIndex={-1} inert={isOpen}>
        <Container size={1080} px={{ base: "md", sm: "xl" }} py={{ base: "lg", sm: 44 }}>
          <Stack gap="xl">
            <DemoNote />
            {person.isSuspended ? <Notice tone="bad">{t.suspended}</Notice> : null}
            <Away />
            <Guard key={screen}>{SHOWN[screen]()}</Guard>
          </Stack>
        </Container>
        <Foot />
      </AppShell.Main>
    </AppShell>
  );
  return person.isAdmin ? <WaitingRequests screen={screen}>{shell}</WaitingRequests> : shell;
}

type MemberScreen = Exclude<Screen, "sign-in" | "sign-up" | "forgot">;

const SHOWN: Readonly<Record<MemberScreen, () => JSX.Element>> = {
  start: () => <StartPage />,
  try: () => <TryPage />,
  keys: () => <KeysPage />,
  calls: () => <Later part={CALLS} />,
  usage: () => <Later part={USAGE} />,
  plan: () => <PlanPage />,
  status: () => <StatusPage />,
  settings: () => <SettingsPage />,
  operator: () => <Later part={OPERATOR} />,
};

function memberScreen(screen: Screen | undefined, isAdmin: boolean): MemberScreen {
  if (screen === undefined || screen === "sign-in" || screen === "sign-up" || screen === "forgot")
    return "start";
  return screen === "operator" && !isAdmin ? "start" : screen;
}
