import { REGISTRY_UNAVAILABLE } from "../../../src/contract/errors.ts";
import { readStatus } from "../api/account.ts";
import { Failure } from "../api/failure.ts";
import { useQuery } from "../queries/useQuery.ts";
import { Problem } from "./Problem.tsx";

const FAILURE = new Failure("SERVICE_UNAVAILABLE", 503, REGISTRY_UNAVAILABLE.noRegistry);

/** Says that the service has no registry yet, on screens that need one. */
export function NoRegistry() {
  const status = useQuery(readStatus).value;
  const isMissing = status?.registry === undefined && status?.registrySource === "down";
  return isMissing ? <Problem failure={FAILURE} /> : null;
}
