import { Skeleton, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import type { Query } from "../queries/useQuery.ts";
import { Problem } from "./Problem.tsx";

const texts = bilingual({ loading: "Loading…" }, { loading: "Laden…" });

interface Props<T> {
  readonly of: Query<T>;
  /** About how high the content is, in pixels, so that nothing jumps when it comes. */
  readonly height: number;
  /** Says it better than the table of failures can. */
  readonly says?: (failure: Failure) => string | undefined;
  readonly children: (value: T) => ReactNode;
}

/** Shows what was read; until then its place, and when it cannot be read what to do. */
export function Loaded<T>({ of: { now, reload }, height, says, children }: Props<T>) {
  const t = useTexts(texts);
  if (now.state === "ready") return children(now.value);
  if (now.state === "failed") {
    return <Problem failure={now.failure} says={says?.(now.failure)} again={reload} />;
  }
  return (
    <output>
      <VisuallyHidden>{t.loading}</VisuallyHidden>
      <Skeleton h={height} radius="md" />
    </output>
  );
}
