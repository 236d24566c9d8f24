import type { Failure } from "../../api/failure.ts";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** Of the page's own interface: what keeps it from making a call at all. */
  readonly making: Failure | undefined;
  /** Of the API. */
  readonly answered?: Failure | undefined;
  readonly says?: string | undefined;
  /** Tries it again, where that can help. */
  readonly again?: (() => void) | undefined;
}

/** Why a try came to nothing. */
export function CallProblem({ making, answered, says, again }: Props) {
  const t = useTexts(texts);
  if (making !== undefined) return <Problem failure={making} again={again} />;
  // Of a call with a good key nothing else is forbidden to the page.
  return (
    <Problem failure={answered} says={answered?.code === "FORBIDDEN" ? t.suspended : says} again={again} />
  );
}
