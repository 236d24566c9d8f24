import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useLanguage } from "../../language/language.tsx";

interface Props {
  /** What is said where nothing was counted. */
  readonly none: string;
  readonly reasons: readonly { readonly count: number; readonly name: string; readonly about: string }[];
}

/** Calls that brought no answer, by reason, with what helps. */
export function Reasons({ none, reasons }: Props) {
  const { number } = useLanguage().formats;
  if (reasons.every(({ count }) => count === 0)) return <Text c="dimmed">{none}</Text>;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      {reasons.map(({ count, name, about }) => (
        <Stack key={name} gap={2}>
          <Text fz={28} fw={680} lh={1.2}>
            {number(count)}
          </Text>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
