import { Text } from "@mantine/core";

/** Small text in a quiet colour, for what explains or dates something else. */
export const Quiet = Text.withProps({ size: "sm", c: "dimmed" });
