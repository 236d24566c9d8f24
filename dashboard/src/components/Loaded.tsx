import { Skeleton, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import type { Failure } from "../api/failure.ts";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import type { Query } from "../queries/useQuery.ts";
import { Problem } from "./Problem.tsx";

const texts = bilingual({ loading: ["Loading…", "Laden…"] });

interface Props<T> {
  readonly query: Query<T>;
  /** The approximate height of the content in pixels, so that nothing jumps when it appears. */
  readonly height: number;
  /** Replaces the usual text of a failure. */
  readonly textOf?: (failure: Failure) => string | undefined;
  readonly children: (value: T) => ReactNode;
}

/** Shows a value once it is loaded, a placeholder until then, or why loading failed. */
export function Loaded<T>({ query: { now, reload }, height, textOf, children }: Props<T>) {
  const t = useTexts(texts);
  if (now.state === "ready") return children(now.value);
  if (now.state === "failed") {
    return <Problem failure={now.failure} text={textOf?.(now.failure)} again={reload} />;
  }
  return (
    <output>
      <VisuallyHidden>{t.loading}</VisuallyHidden>
      <Skeleton h={height} radius="md" />
    </output>
  );
}
