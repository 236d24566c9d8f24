import { Button, Divider, Group, NavLink, ScrollArea, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon, type IconName } from "../components/Icon.tsx";
import { Logo } from "../components/Logo.tsx";
import { MutedText } from "../components/MutedText.ts";
import { Problem } from "../components/Problem.tsx";
import { Switches } from "../components/Switches.tsx";
import { useTexts } from "../language/language.tsx";
import { linkTo, type Screen } from "../router/router.ts";
import { usePendingBadge } from "../session/pendingRequests.tsx";
import { usePerson } from "../session/session.tsx";
import { useSignOut } from "../session/signOut.tsx";
import { useUnreadBadge } from "../session/unreadEvents.tsx";
import { texts } from "./texts.ts";

const LINKS = [
  ["start", "home"],
  ["try", "search"],
  ["keys", "key"],
  ["monitors", "bell"],
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

export function Navigation({ screen, onFollow }: Props) {
  const t = useTexts(texts);
  const person = usePerson();
  const badges: Partial<Record<Screen, ReactNode>> = {
    operator: usePendingBadge(),
    monitors: useUnreadBadge(),
  };
  const signingOut = useSignOut();
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
                rightSection={badges[name]}
              />
            ))}
            <NavLink href="/docs" label={t.docs} leftSection={<Icon name="book" />} className="link" />
          </Stack>
        </nav>
      </ScrollArea>
      <Divider color="var(--line)" />
      <Stack gap="xs" p="md">
        <Problem failure={signingOut.failure} />
        <MutedText truncate title={person.email} px={4}>
          {person.email}
        </MutedText>
        <Group justify="space-between" gap={4} wrap="nowrap">
          <Switches />
        </Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="out" size={16} />}
          loading={signingOut.isBusy}
          onClick={signingOut.run}
        >
          {t.signOut}
        </Button>
        {signingOut.question}
      </Stack>
    </>
  );
}
