import type { Failure } from "../api/failure.ts";
import { OutageNotice } from "./OutageNotice.tsx";
import { Problem } from "./Problem.tsx";

interface Props {
  readonly failure: Failure;
  readonly again: () => void;
}

/** Replaces a page that could not be loaded. An outage needs no button: it is retried automatically. */
export function LoadFailure({ failure, again }: Props) {
  return failure.isOutage ? <OutageNotice /> : <Problem failure={failure} again={again} />;
}
