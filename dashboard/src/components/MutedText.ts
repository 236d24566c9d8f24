import { Text } from "@mantine/core";

/** Small, muted text for explanations and dates. */
export const MutedText = Text.withProps({ size: "sm", c: "dimmed" });
