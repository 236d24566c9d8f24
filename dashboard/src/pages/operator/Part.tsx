import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Quiet } from "../../components/Quiet.ts";

interface Props {
  readonly title: string;
  readonly about?: string;
  readonly testId?: string;
  readonly children: ReactNode;
}

/** A part of a section, with a heading. */
export function Part({ title, about, testId, children }: Props) {
  return (
    <Stack gap="sm" data-testid={testId}>
      <Stack gap={2}>
        <Title order={3}>{title}</Title>
        {about === undefined ? null : <Quiet maw="62ch">{about}</Quiet>}
      </Stack>
      {children}
    </Stack>
  );
}
