import { Type } from "typebox";
import type { BranchesFound } from "../../company/views.ts";
import { ApiError } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import { type BranchList, BranchListSchema, refTo } from "../../contract/resources.ts";
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
  description: `Every branch, the main one first (${PRICES.branches} tokens). Where the origin of a company holds no branches they are asked of the live source; without one the answer is NOT_HELD and costs nothing.`,
  schema: {
    params: Type.Object({ kvkNumber: KvkNumberParameter }),
    querystring: Type.Object({ maxAge: MaxAgeParameter }),
    response: refTo<BranchList>(BranchListSchema),
  },
  cost: () => ({ operation: "branches", price: PRICES.branches }),
  handler: ({ params: { kvkNumber }, query }, services) => {
    const maxAgeMs = inMs(query.maxAge);
    const { companies } = services;
    const make = (found: BranchesFound) => delivered(found, companies.hasLiveSource);
    const answer = companies.atOnce("branches", kvkNumber, maxAgeMs);
    return answer === undefined
      ? look("branches", { kvkNumber, maxAgeMs }, services, make)
      : make(foundIn(answer, kvkNumber));
  },
});

/** @throws {ApiError} when nobody told the branches: for good without a live source, else for now */
function delivered({ kvkNumber, name, branches, origin }: BranchesFound, hasLiveSource: boolean): Delivered {
  if (branches !== undefined) return { charge: PRICES.branches, body: { kvkNumber, name, branches } };
  throw hasLiveSource
    ? new ApiError(
        "UPSTREAM_ERROR",
        `neither ${quoted(origin)} nor the live source told the branches of company ${kvkNumber}; nothing was charged`,
      )
    : new ApiError(
        "NOT_HELD",
        `company ${kvkNumber} comes from ${quoted(origin)}, which holds no branches, and this service has no live source; its operator can set KVK_API_KEY or import data that has them. Nothing was charged`,
      );
}
