import type { Failure } from "../../api/failure.ts";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly failure: Failure | undefined;
  readonly says?: string | undefined;
  /** Retries the call, if that can help. */
  readonly again?: (() => void) | undefined;
}

/** Why a call failed. */
export function CallProblem({ failure, says, again }: Props) {
  const t = useTexts(texts);
  // A suspension is the only reason for this code here.
  return (
    <Problem failure={failure} says={failure?.code === "FORBIDDEN" ? t.suspended : says} again={again} />
  );
}
