import type { Failure } from "../../api/failure.ts";

/** What a failure means where a key was the matter. */
export function keyProblem(
  failure: Failure | undefined,
  t: { readonly gone: string; readonly tooMany: string },
): string | undefined {
  if (failure?.code === "NOT_FOUND") return t.gone;
  return failure?.code === "INVALID_REQUEST" ? t.tooMany : undefined;
}
