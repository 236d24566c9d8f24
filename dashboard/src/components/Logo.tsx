import { Group, Text } from "@mantine/core";

export function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <svg aria-hidden="true" width="28" height="28" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="8" fill="#0b6e69" />
        <circle cx="14.5" cy="14.5" r="6" fill="none" stroke="#fff" strokeWidth="3" />
        <path d="m19 19 5 5" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      </svg>
      <Text component="span" fw={700} fz={20} lh={1} lts="-0.02em">
        Opzoek
      </Text>
    </Group>
  );
}
