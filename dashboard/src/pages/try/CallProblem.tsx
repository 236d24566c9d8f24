import type { Failure } from "../../api/failure.ts";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** Of the page's own interface: the call could not be made. */
  readonly making: Failure | undefined;
  /** Of the API. */
  readonly answered?: Failure | undefined;
  readonly says?: string | undefined;
  /** Retries, if that can help. */
  readonly again?: (() => void) | undefined;
}

/** Why a call failed. */
export function CallProblem({ making, answered, says, again }: Props) {
  const t = useTexts(texts);
  if (making !== undefined) return <Problem failure={making} again={again} />;
  // The API forbids nothing else to the page.
  return (
    <Problem failure={answered} says={answered?.code === "FORBIDDEN" ? t.suspended : says} again={again} />
  );
}
