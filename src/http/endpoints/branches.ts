import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { type BranchList, BranchListSchema, refTo } from "../../contract/resources.ts";
import { keyed } from "../endpoint.ts";
import { currentSnapshot, KvkNumberParameter, notFound } from "./shared.ts";

/** The branches (vestigingen) of one company. */
export const branches = keyed({
  method: "GET",
  path: "/v1/lookup/:kvkNumber/branches",
  operation: "branches",
  tag: "Companies",
  summary: "List the branches of a company",
  description: `Every branch, the main one first (${PRICES.branches} tokens). Where the origin of a company does not hold its branches the answer is UPSTREAM_ERROR and costs nothing.`,
  schema: {
    params: Type.Object({ kvkNumber: KvkNumberParameter }),
    response: refTo<BranchList>(BranchListSchema),
  },
  cost: () => ({ operation: "branches", price: PRICES.branches }),
  handler: ({ params }, services) => {
    const found = currentSnapshot(services).branches(params.kvkNumber);
    if (found === undefined) throw notFound(params.kvkNumber);
    if (found.branches === undefined) {
      throw new ApiError(
        "UPSTREAM_ERROR",
        `the source of company ${params.kvkNumber} does not hold branches and no live source is set up; nothing was charged`,
      );
    }
    return { charge: PRICES.branches, body: { ...found, branches: found.branches } };
  },
});
