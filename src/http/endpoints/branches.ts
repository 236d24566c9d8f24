import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { type BranchList, BranchListSchema, refTo } from "../../contract/resources.ts";
import { deliver } from "../../lookup/answer.ts";
import type { BranchesUnknown } from "../../lookup/lookup.ts";
import { type Delivered, keyed } from "../endpoint.ts";
import { inMs, KvkNumberParameter, MaxAgeParameter } from "./shared.ts";

/** The branches (vestigingen) of one company. */
export const branches = keyed({
  method: "GET",
  path: "/v1/lookup/:kvkNumber/branches",
  operation: "branches",
  tag: "Companies",
  isConditional: true,
  summary: "List the branches of a company",
  description: `Every branch, the main one first (${PRICES.branches} tokens). If the company's origin has no branches, they come from the live source. Without a live source the response is NOT_HELD and free.`,
  tool: {
    name: "list_branches",
    // The number is found with the tools before it.
    after: "match_companies",
    title: "List the branches of a Dutch company",
    description: `Every branch (vestiging) of one company by its KVK number, the main one first. Costs ${PRICES.branches} tokens. Errors cost nothing.`,
  },
  schema: {
    params: Type.Object({ kvkNumber: KvkNumberParameter }),
    querystring: Type.Object({ maxAge: MaxAgeParameter }),
    response: refTo<BranchList>(BranchListSchema),
  },
  cost: () => ({ operation: "branches", price: PRICES.branches }),
  handler: ({ params: { kvkNumber }, query }, { lookup }) =>
    deliver(lookup.branches(kvkNumber, inMs(query.maxAge)), delivered),
});

function delivered(found: BranchList | BranchesUnknown): Delivered {
  if ("branches" in found) return { charge: PRICES.branches, body: found };
  throw unknown(found);
}

/** The error if no source has the branches: permanent without a live source, otherwise temporary. */
function unknown({ kvkNumber, origin, hasLiveSource }: BranchesUnknown): ApiError {
  return hasLiveSource
    ? new ApiError(
        "UPSTREAM_ERROR",
        `neither "${origin}" nor the live source has the branches of company ${kvkNumber}; nothing was charged`,
      )
    : new ApiError(
        "NOT_HELD",
        `company ${kvkNumber} comes from "${origin}", which has no branches, and this service has no live source; its operator can set KVK_API_KEY or import data with branches. Nothing was charged`,
      );
}
