import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { KVK_NUMBER_PATTERN, type KvkNumber } from "../../contract/numbers.ts";
import type { Snapshot } from "../../registry/snapshot/types.ts";
import type { Services } from "../endpoint.ts";

/** The KVK number of a path. */
export const KvkNumberParameter = Type.Unsafe<KvkNumber>({
  type: "string",
  pattern: KVK_NUMBER_PATTERN,
  description: "KVK number: exactly eight digits, leading zeros included.",
  examples: ["50000012"],
  "x-rule": "exactly 8 digits",
  "x-error": "INVALID_KVK_NUMBER",
});

/** The registry's present snapshot; taken once per call, so that a call sees one state of the registry. */
export function currentSnapshot({ registry }: Services): Snapshot {
  const { current } = registry;
  if (current !== undefined) return current;
  throw new ApiError(
    "SERVICE_UNAVAILABLE",
    "this service has no company registry yet; ask its operator to import one",
    {
      retryAfterSeconds: 60,
    },
  );
}

export function notFound(kvkNumber: KvkNumber): ApiError {
  return new ApiError("NOT_FOUND", `no company with KVK number ${kvkNumber} is known here`);
}
