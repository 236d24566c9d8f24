import { ApiError, invalid } from "../contract/errors.ts";

export function invalidList(message: string): ApiError {
  return invalid(message);
}

/** @param limit with its unit */
export function listTooLarge(limit: string): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `a list may have at most ${limit}; send it in parts`);
}
