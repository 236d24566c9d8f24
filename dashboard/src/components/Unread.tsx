import type { Failure } from "../api/failure.ts";
import { Away } from "./Away.tsx";
import { Problem } from "./Problem.tsx";

interface Props {
  readonly failure: Failure;
  readonly again: () => void;
}

/** Stands in for a whole page that could not be read. An outage is tried again by itself, so it has one message only. */
export function Unread({ failure, again }: Props) {
  return failure.isOutage ? <Away /> : <Problem failure={failure} again={again} />;
}
