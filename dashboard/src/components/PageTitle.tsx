import { Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { WithOperator } from "./operator.tsx";

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
}

/** The title of a screen. It takes the focus when the screen appears, so that a screen reader announces it. */
export function PageTitle({ title, about }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title} · Opzoek`;
  }, [title]);
  return (
    <Stack gap={6}>
      <Title order={1} ref={heading} tabIndex={-1} className="heading breaks">
        {title}
      </Title>
      {about === undefined ? null : (
        <Text c="dimmed" maw="62ch" className="breaks">
          {typeof about === "string" ? <WithOperator text={about} /> : about}
        </Text>
      )}
    </Stack>
  );
}
