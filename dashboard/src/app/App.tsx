import "@mantine/charts/styles.css";
import { Anchor, Center, Loader, MantineProvider, Stack } from "@mantine/core";
import { Activity } from "react";
import { ErrorBoundary } from "../components/ErrorBoundary.tsx";
import { DemoNote, Footer } from "../components/Footer.tsx";
import { useFocusRestore } from "../components/focusRestore.ts";
import { LoadFailure } from "../components/LoadFailure.tsx";
import { MutedText } from "../components/MutedText.ts";
import { WithOperator } from "../components/operator.tsx";
import { PageTitle } from "../components/PageTitle.tsx";
import { bilingual } from "../language/bilingual.ts";
import { LanguageProvider, useTexts } from "../language/language.tsx";
import { Visitor } from "../pages/visitor/Visitor.tsx";
import { useRoute } from "../router/router.ts";
import { SessionProvider, useSession } from "../session/session.tsx";
import { Member } from "./Member.tsx";
import { cssVariables, theme } from "./theme.ts";

/** The nonce of the style elements that the content security policy of this response allows. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

export function App() {
  useFocusRestore();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <LanguageProvider>
        <ErrorBoundary>
          <SessionProvider>
            <Page />
          </SessionProvider>
        </ErrorBoundary>
      </LanguageProvider>
    </MantineProvider>
  );
}

/**
 * Shows the member's screens to people who are signed in, and the visitor's to everyone else and for links from mails.
 */
function Page() {
  const { now, reload, left } = useSession();
  const route = useRoute();
  if (now.state === "loading") {
    return (
      <Center component="main" h="100dvh">
        <Loader aria-label="Opzoek" />
      </Center>
    );
  }
  if (now.state === "failed") {
    return (
      <Center mih="100dvh" p="md">
        <Stack>
          <Stack component="main">
            <DemoNote />
            {now.failure.code === "FORBIDDEN" ? (
              <NeedsTls />
            ) : (
              <LoadFailure failure={now.failure} again={reload} />
            )}
          </Stack>
          <Footer />
        </Stack>
      </Center>
    );
  }
  const { person = left } = now.value;
  const isVisitor = now.value.person === undefined || route.mailLink !== undefined;
  return (
    <>
      {isVisitor ? <Visitor route={route} state={now.value} /> : null}
      {person === undefined || route.mailLink !== undefined ? null : (
        // After a session that is over, the screen keeps what was typed until the person is back.
        <Activity mode={isVisitor ? "hidden" : "visible"}>
          <Member key={person.accountId} route={route} />
        </Activity>
      )}
    </>
  );
}

const texts = bilingual({
  title: ["Open this page securely", "Open deze pagina beveiligd"],
  about: [
    "Passwords and keys are never sent over a connection that others can read.",
    "Wachtwoorden en sleutels gaan nooit over een verbinding die anderen kunnen meelezen.",
  ],
  open: ["Open with https", "Openen met https"],
  operator: [
    "Not working? The operator of this service has to set up TLS; docs/install.md explains how.",
    "Werkt dat niet? De beheerder van deze dienst moet TLS instellen; in docs/install.md staat hoe.",
  ],
});

/** Shown instead of the page when it is opened over plain HTTP from another machine. */
function NeedsTls() {
  const t = useTexts(texts);
  return (
    <Stack className="surface" p="xl" maw={520}>
      <PageTitle title={t.title} about={t.about} />
      <Anchor href={`https://${location.host}/`}>{t.open}</Anchor>
      <MutedText>
        <WithOperator text={t.operator} />
      </MutedText>
    </Stack>
  );
}
