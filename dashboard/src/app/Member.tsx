import { AppShell, Box, Burger, Container, Group, Stack } from "@mantine/core";
import type { JSX } from "react";
import { ErrorBoundary } from "../components/ErrorBoundary.tsx";
import { DemoNote, Footer } from "../components/Footer.tsx";
import { LazyPart, type PagePart } from "../components/LazyPart.tsx";
import { Logo } from "../components/Logo.tsx";
import { Notice } from "../components/Notice.tsx";
import { OutageNotice } from "../components/OutageNotice.tsx";
import { CONTENT, SkipLink } from "../components/SkipLink.tsx";
import { useTexts } from "../language/language.tsx";
import { KeysPage } from "../pages/keys/KeysPage.tsx";
import { PlanPage } from "../pages/plan/PlanPage.tsx";
import { SettingsPage } from "../pages/settings/SettingsPage.tsx";
import { StartPage } from "../pages/start/StartPage.tsx";
import { StatusPage } from "../pages/status/StatusPage.tsx";
import { TryPage } from "../pages/try/TryPage.tsx";
import type { Route, Screen } from "../router/router.ts";
import { PendingRequests } from "../session/pendingRequests.tsx";
import { usePerson } from "../session/session.tsx";
import { UnreadEvents } from "../session/unreadEvents.tsx";
import { Navigation } from "./Navigation.tsx";
import { texts } from "./texts.ts";
import { usePhoneMenu } from "./usePhoneMenu.ts";

// The monitors, usage, calls and operator pages are large or rarely visited, so they are loaded on demand.
const USAGE: PagePart = {
  name: "usage",
  load: async () => (await import("../pages/usage/UsagePage.tsx")).UsagePage,
};
const MONITORS: PagePart = {
  name: "monitors",
  load: async () => (await import("../pages/monitors/MonitorsPage.tsx")).MonitorsPage,
};
const CALLS: PagePart = {
  name: "calls",
  load: async () => (await import("../pages/calls/CallsPage.tsx")).CallsPage,
};
const OPERATOR: PagePart = {
  name: "operator",
  load: async () => (await import("../pages/operator/OperatorPage.tsx")).OperatorPage,
};

/** The screens of a signed-in person, with the navigation. */
export function Member({ route }: { readonly route: Route }) {
  const t = useTexts(texts);
  const person = usePerson();
  const { isOpen, isHidden, toggle, close, button, menu, onMenuKeyDown } = usePhoneMenu();
  const screen = memberScreen(route.screen, person.isAdmin);
  const shell = (
    <AppShell
      header={{ height: { base: 60, md: 0 } }}
      navbar={{ width: 256, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={0}
      onKeyDown={onMenuKeyDown}
    >
      <Box inert={isOpen}>
        <SkipLink />
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
        <Navigation screen={screen} onFollow={close} />
      </AppShell.Navbar>
      <AppShell.Main id={CONTENT} tabIndex={-1} inert={isOpen}>
        <Container size={1080} px={{ base: "md", sm: "xl" }} py={{ base: "lg", sm: 44 }}>
          <Stack gap="xl">
            <DemoNote />
            {person.isSuspended ? <Notice tone="error">{t.suspended}</Notice> : null}
            <OutageNotice />
            <ErrorBoundary key={screen}>{SCREEN_VIEWS[screen]()}</ErrorBoundary>
          </Stack>
        </Container>
        <Footer />
      </AppShell.Main>
    </AppShell>
  );
  const counted = <UnreadEvents>{shell}</UnreadEvents>;
  return person.isAdmin ? <PendingRequests screen={screen}>{counted}</PendingRequests> : counted;
}

type MemberScreen = Exclude<Screen, "sign-in" | "sign-up" | "forgot">;

const SCREEN_VIEWS: Readonly<Record<MemberScreen, () => JSX.Element>> = {
  start: () => <StartPage />,
  try: () => <TryPage />,
  keys: () => <KeysPage />,
  monitors: () => <LazyPart part={MONITORS} />,
  calls: () => <LazyPart part={CALLS} />,
  usage: () => <LazyPart part={USAGE} />,
  plan: () => <PlanPage />,
  status: () => <StatusPage />,
  settings: () => <SettingsPage />,
  operator: () => <LazyPart part={OPERATOR} />,
};

function memberScreen(screen: Screen | undefined, isAdmin: boolean): MemberScreen {
  if (screen === undefined || screen === "sign-in" || screen === "sign-up" || screen === "forgot")
    return "start";
  return screen === "operator" && !isAdmin ? "start" : screen;
}
