import { Skeleton, Stack } from "@mantine/core";

/** The placeholder of a screen whose code is loading. */
export function PageSkeleton() {
  return (
    <Stack gap="xl" aria-busy="true">
      <Skeleton h={34} w={220} radius="md" />
      <Skeleton h={180} radius="md" />
      <Skeleton h={320} radius="md" />
    </Stack>
  );
}
