import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import { MutedText } from "../../components/MutedText.ts";

interface Props {
  /** The id of the heading. */
  readonly id: string;
  readonly title: string;
  readonly about?: ReactNode;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A titled part of a view. */
export function ReferencePart({ id, title, about, className, children }: Props) {
  return (
    <section aria-labelledby={id} className={className}>
      <Title order={2} id={id} mb={about === undefined ? "sm" : 0}>
        {title}
      </Title>
      {about === undefined ? null : <MutedText mb="sm">{about}</MutedText>}
      {children}
    </section>
  );
}
