import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { type BranchList, BranchListSchema, refTo } from "../../contract/resources.ts";
import type { BranchesFound } from "../../registry/companies/views.ts";
import { type Delivered, keyed } from "../endpoint.ts";
import { look } from "../outside.ts";
import { foundIn, inMs, KvkNumberParameter, MaxAgeParameter } from "./shared.ts";

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
    querystring: Type.Object({ maxAge: MaxAgeParameter }),
    response: refTo<BranchList>(BranchListSchema),
  },
  cost: () => ({ operation: "branches", price: PRICES.branches }),
  handler: ({ params: { kvkNumber }, query }, services) => {
    const maxAgeMs = inMs(query.maxAge);
    const answer = services.companies.atOnce("branches", kvkNumber, maxAgeMs);
    return answer === undefined
      ? look("branches", { kvkNumber, maxAgeMs }, services, delivered)
      : delivered(foundIn(answer, kvkNumber));
  },
});

function delivered({ kvkNumber, name, branches }: BranchesFound): Delivered {
  if (branches === undefined) {
    throw new ApiError(
      "UPSTREAM_ERROR",
      `the source of company ${kvkNumber} does not hold branches and no live source has them; nothing was charged`,
    );
  }
  return { charge: PRICES.branches, body: { kvkNumber, name, branches } };
}
