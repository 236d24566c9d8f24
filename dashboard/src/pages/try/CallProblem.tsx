import type { Failure } from "../../api/failure.ts";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly failure: Failure | undefined;
  readonly text?: string | undefined;
  /** Retries the call, if that can help. */
  readonly again?: (() => void) | undefined;
}

export function CallProblem({ failure, text, again }: Props) {
  const t = useTexts(texts);
  // A suspension is the only reason for this code here.
  return (
    <Problem failure={failure} text={failure?.code === "FORBIDDEN" ? t.suspended : text} again={again} />
  );
}
