import { Box, Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { MutedText } from "./MutedText.ts";
import { WithOperator } from "./operator.tsx";

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  /** A button or link next to the title. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

export function Section({ title, about, aside, children }: Props) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} className="surface" p={{ base: "md", sm: "xl" }}>
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} flex={about === undefined ? "1 1 6rem" : "1 1 14rem"}>
            <Title order={2} id={id} tabIndex={-1} className="arrival breaks">
              {title}
            </Title>
            {about === undefined ? null : (
              <MutedText maw="62ch">
                {typeof about === "string" ? <WithOperator text={about} /> : about}
              </MutedText>
            )}
          </Stack>
          {aside}
        </Group>
        {children}
      </Stack>
    </Box>
  );
}
