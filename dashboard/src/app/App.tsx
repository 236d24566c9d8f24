import "@mantine/charts/styles.css";
import { Center, Loader, MantineProvider, Stack } from "@mantine/core";
import { DemoNote, Foot } from "../components/Foot.tsx";
import { Guard } from "../components/Guard.tsx";
import { useKeptFocus } from "../components/keptFocus.ts";
import { Unread } from "../components/Unread.tsx";
import { LanguageProvider } from "../language/language.tsx";
import { Visitor } from "../pages/visitor/Visitor.tsx";
import { useRoute } from "../router/router.ts";
import { SessionProvider, useSession } from "../session/session.tsx";
import { Member } from "./Member.tsx";
import { NeedsTls } from "./NeedsTls.tsx";
import { cssVariables, theme } from "./theme.ts";

/** The nonce with which the service allows the style elements of this answer, and no others. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

/** The whole page: what everybody sees, then what a visitor or a member sees. */
export function App() {
  useKeptFocus();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <LanguageProvider>
        <Guard>
          <SessionProvider>
            <Whole />
          </SessionProvider>
        </Guard>
      </LanguageProvider>
    </MantineProvider>
  );
}

/** A member's screens for who is signed in, the visitor's for everybody else and for whom a link brought. */
function Whole() {
  const { now, reload } = useSession();
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
              <Unread failure={now.failure} again={reload} />
            )}
          </Stack>
          <Foot />
        </Stack>
      </Center>
    );
  }
  const { person } = now.value;
  return person === undefined || route.mailLink !== undefined ? (
    <Visitor route={route} state={now.value} />
  ) : (
    <Member key={person.accountId} route={route} />
  );
}
