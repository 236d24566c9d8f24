import { Button, Divider, Group, NavLink, ScrollArea, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { signOut } from "../api/account.ts";
import { Dialog } from "../components/Dialog.tsx";
import { Icon, type IconName } from "../components/Icon.tsx";
import { Logo } from "../components/Logo.tsx";
import { Problem } from "../components/Problem.tsx";
import { Switches } from "../components/Switches.tsx";
import { useTexts } from "../language/language.tsx";
import { keepsList } from "../pages/try/list/listClient.ts";
import { useMutation } from "../queries/useMutation.ts";
import { linkTo, type Screen } from "../router/router.ts";
import { usePerson, useSession } from "../session/session.tsx";
import { useWaitingBadge } from "../session/waitingRequests.tsx";
import { texts } from "./texts.ts";

const LINKS = [
  ["start", "home"],
  ["try", "search"],
  ["keys", "key"],
  ["calls", "list"],
  ["usage", "chart"],
  ["plan", "plan"],
  ["settings", "settings"],
  ["status", "pulse"],
] as const satisfies readonly (readonly [Screen, IconName])[];

interface Props {
  readonly screen: Screen;
  readonly onFollow: () => void;
}

/** The way between the screens. */
export function Rail({ screen, onFollow }: Props) {
  const t = useTexts(texts);
  const person = usePerson();
  const badge = useWaitingBadge();
  const { leave: left } = useSession();
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation(async (isSure: boolean) => {
    if (!isSure && (await keepsList(person.accountId))) return setAsking(true);
    setAsking(false);
    await signOut();
    // Signing out leaves nothing in the browser; after a session that expired a list goes on.
    location.hash = linkTo("sign-in");
    left("out");
  });
  const links = person.isAdmin ? [...LINKS, ["operator", "tower"] as const] : LINKS;
  return (
    <>
      <Group visibleFrom="md" px="lg" pt="xl" pb="lg">
        <Logo />
      </Group>
      <ScrollArea flex={1} px="sm" pt={{ base: "md", md: 0 }} type="auto">
        <nav aria-label={t.pages}>
          <Stack gap={2}>
            {links.map(([name, icon]) => (
              <NavLink
                key={name}
                href={linkTo(name)}
                label={t[name]}
                leftSection={<Icon name={icon} />}
                active={name === screen}
                aria-current={name === screen ? "page" : undefined}
                className="link"
                onClick={onFollow}
                rightSection={name === "operator" ? badge : undefined}
              />
            ))}
            <NavLink href="/docs" label={t.docs} leftSection={<Icon name="book" />} className="link" />
          </Stack>
        </nav>
      </ScrollArea>
      <Divider color="var(--line)" />
      <Stack gap="xs" p="md">
        <Problem failure={leave.failure} />
        <Text size="sm" c="dimmed" truncate title={person.email} px={4}>
          {person.email}
        </Text>
        <Group justify="space-between" gap={4} wrap="nowrap">
          <Switches />
        </Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="out" size={16} />}
          loading={leave.isBusy}
          onClick={() => leave.run(false)}
        >
          {t.signOut}
        </Button>
        <Dialog title={t.listTitle} isOpen={isAsking} onClose={() => setAsking(false)}>
          <Text>{t.listAbout}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {t.stay}
            </Button>
            <Button
              component="a"
              variant="default"
              href={linkTo("try", "list")}
              onClick={() => setAsking(false)}
            >
              {t.toList}
            </Button>
            <Button color="red" loading={leave.isBusy} onClick={() => leave.run(true)}>
              {t.signOutAnyway}
            </Button>
          </Group>
        </Dialog>
      </Stack>
    </>
  );
}
