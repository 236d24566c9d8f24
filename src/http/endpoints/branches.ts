import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { type BranchList, BranchListSchema, refTo } from "../../contract/resources.ts";
import type { BranchesUnknown } from "../../lookup/lookup.ts";
import { type Delivered, keyed } from "../endpoint.ts";
import { deliver, inMs } from "./delivering.ts";
import { KvkNumberParameter, MaxAgeParameter } from "./shared.ts";

/** The branches (vestigingen) of one company. */
export const branches = keyed({
  method: "GET",
  path: "/v1/lookup/:kvkNumber/branches",
  operation: "branches",
  tag: "Companies",
  isConditional: true,
  summary: "List the branches of a company",
  description: `Every branch, the main one first (${PRICES.branches} tokens). Where the origin of a company holds no branches they are asked of the live source; without one the answer is NOT_HELD and costs nothing.`,
  schema: {
    params: Type.Object({ kvkNumber: KvkNumberParameter }),
    querystring: Type.Object({ maxAge: MaxAgeParameter }),
    response: refTo<BranchList>(BranchListSchema),
  },
  cost: () => ({ operation: "branches", price: PRICES.branches }),
  handler: ({ params: { kvkNumber }, query }, { lookup }) =>
    deliver(lookup.branches(kvkNumber, inMs(query.maxAge)), delivered),
});

function delivered(told: BranchList | BranchesUnknown): Delivered {
  if ("branches" in told) return { charge: PRICES.branches, body: told };
  throw unknown(told);
}

/** Nobody told the branches: for good without a live source, else for now. */
function unknown({ kvkNumber, origin, hasLiveSource }: BranchesUnknown): ApiError {
  return hasLiveSource
    ? new ApiError(
        "UPSTREAM_ERROR",
        `neither "${origin}" nor the live source has the branches of company ${kvkNumber}; nothing was charged`,
      )
    : new ApiError(
        "NOT_HELD",
        `company ${kvkNumber} comes from "${origin}", which holds no branches, and this service has no live source; its operator can set KVK_API_KEY or import data that has them. Nothing was charged`,
      );
}
