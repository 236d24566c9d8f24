import { Stack, Text, ThemeIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";

interface Props {
  readonly icon: IconName;
  readonly children: ReactNode;
}

/** Shown instead of an empty list. */
export function EmptyState({ icon, children }: Props) {
  return (
    <Stack align="center" gap="sm" py="xl">
      <ThemeIcon variant="light" size={44} radius="xl">
        <Icon name={icon} />
      </ThemeIcon>
      <Text c="dimmed" ta="center" maw="44ch">
        {children}
      </Text>
    </Stack>
  );
}
