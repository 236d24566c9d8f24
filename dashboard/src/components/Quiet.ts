import { Text } from "@mantine/core";

/** Small, muted text for explanations and dates. */
export const Quiet = Text.withProps({ size: "sm", c: "dimmed" });
