import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import { WithOperator } from "./operator.tsx";

type Tone = "good" | "info" | "warning" | "error";

const STYLES = {
  good: { color: "sea", icon: "check" },
  info: { color: "gray", icon: "info" },
  warning: { color: "yellow", icon: "warning" },
  error: { color: "red", icon: "warning" },
} as const satisfies Record<Tone, { color: string; icon: IconName }>;

interface Props {
  readonly tone: Tone;
  readonly title?: string;
  readonly children?: ReactNode;
}

/** A message. Bad news interrupts a screen reader; other messages wait. */
export function Notice({ tone, title, children }: Props) {
  const { color, icon } = STYLES[tone];
  return (
    <Alert
      color={color}
      variant="light"
      icon={<Icon name={icon} />}
      title={title}
      role={tone === "error" ? "alert" : "status"}
      className={`notice ${tone}`}
    >
      {typeof children === "string" ? <WithOperator text={children} /> : children}
    </Alert>
  );
}
