import type { Failure } from "../api/failure.ts";
import { Away } from "./Away.tsx";
import { Problem } from "./Problem.tsx";

interface Props {
  readonly failure: Failure;
  readonly again: () => void;
}

/** Replaces a page that could not be loaded. An outage needs no button: it is retried automatically. */
export function Unread({ failure, again }: Props) {
  return failure.isOutage ? <Away /> : <Problem failure={failure} again={again} />;
}
