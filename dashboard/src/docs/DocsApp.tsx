import { Anchor, Burger, Center, Group, Loader, MantineProvider, Stack, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { send } from "../api/request.ts";
import { theme } from "../app/theme.ts";
import { ErrorBoundary } from "../components/ErrorBoundary.tsx";
import { DemoNote, Footer } from "../components/Footer.tsx";
import { useFocusRestore } from "../components/focusRestore.ts";
import { LoadFailure } from "../components/LoadFailure.tsx";
import { Logo } from "../components/Logo.tsx";
import { CONTENT, SkipLink } from "../components/SkipLink.tsx";
import { Switches } from "../components/Switches.tsx";
import { LanguageProvider, useTexts } from "../language/language.tsx";
import { useQuery } from "../queries/useQuery.ts";
import { useHash } from "../router/router.ts";
import { readRoute } from "./address.ts";
import { type ApiDocument, operationsOf } from "./document/openapi.ts";
import { ApiKeyProvider } from "./reference/apiKey.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { texts } from "./texts.ts";
import { View } from "./View.tsx";

/** The docs page. Its theme is a file (`virtual:theme.css`): the page's policy allows no inline style. */
export function DocsApp() {
  useFocusRestore();
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <LanguageProvider>
        <ApiKeyProvider>
          <ErrorBoundary>
            <Page />
          </ErrorBoundary>
        </ApiKeyProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}

const readDocument = () => send<ApiDocument>("GET", "/v1/openapi.json");

function Page() {
  const { now, reload } = useQuery(readDocument);
  if (now.state === "loading") {
    return (
      <Center component="main" h="100dvh">
        <Loader aria-label="Opzoek" />
      </Center>
    );
  }
  if (now.state === "failed") {
    return (
      <Center component="main" mih="100dvh" p="md">
        <Stack>
          <DemoNote />
          <LoadFailure failure={now.failure} again={reload} />
        </Stack>
      </Center>
    );
  }
  return <Docs document={now.value} />;
}

/** The header, the contents and the current view. On a phone the contents open above the view. */
function Docs({ document }: { readonly document: ApiDocument }) {
  const t = useTexts(texts);
  const hash = useHash();
  const route = useMemo(() => readRoute(hash), [hash]);
  const operations = useMemo(() => operationsOf(document), [document]);
  const [isOpen, setOpen] = useState(false);
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape") setOpen(false);
  });
  return (
    <div className="docs">
      <SkipLink />
      <header className="docs-head">
        <a href="/" className="docs-home" aria-label={t.back} title={t.back}>
          <Logo />
        </a>
        <Text span fz="0.9375rem" c="dimmed" visibleFrom="xs">
          {t.title}
        </Text>
        <Group gap="xs" wrap="nowrap" ml="auto">
          <Anchor href="/" size="sm" visibleFrom="xs">
            {t.back}
          </Anchor>
          <Switches />
          <Burger
            hiddenFrom="md"
            opened={isOpen}
            onClick={() => setOpen(!isOpen)}
            size="sm"
            aria-label={t.menu}
            aria-expanded={isOpen}
            aria-controls="contents"
          />
        </Group>
      </header>
      <div id="contents" className="docs-side" data-open={isOpen || undefined}>
        <Sidebar document={document} operations={operations} route={route} onFollow={() => setOpen(false)} />
      </div>
      <main id={CONTENT} className="docs-main" tabIndex={-1}>
        <DemoNote />
        <View document={document} operations={operations} route={route} />
        <Footer />
      </main>
    </div>
  );
}
