import { PRODUCTS } from "../../kvk/api/results.ts";
import type { JsonObject } from "../../lib/values.ts";
import {
  type ActiveFault,
  ANY_VALUE,
  COMMON_KINDS,
  type CommonFault,
  FaultBoard,
  type FaultOf,
  oneOf,
  STATUS,
  text,
} from "../simulator/faults.ts";
import { type Outgoing, type Reply, sendReply } from "../simulator/sending.ts";
import { errorAnswer, gatewayAnswer } from "./answers.ts";
import { mapObjects, objectOf } from "./json.ts";

const NAME = text(/^[ -~]{1,100}$/, "a text of 1 to 100 characters");

const OWN_KINDS = {
  /** The gateway before the products refuses: 401, 403, 404, 502, … */
  gateway: { status: STATUS },
  /** The right response with another content type. */
  contentType: { type: NAME },
  /** The right response, larger than any client should read. */
  tooLarge: {},
  /** The right response with another value in every field of this name. */
  deviate: { field: NAME, value: ANY_VALUE },
  /** The right response with `links` as an array, which KVK has sent too, instead of `_links`. */
  links: { form: oneOf("array") },
} as const;

export type OwnFault = FaultOf<typeof OWN_KINDS>;
export type Fault = CommonFault | OwnFault;
const KINDS = { ...COMMON_KINDS, ...OWN_KINDS };
export const FAULT_KINDS: readonly string[] = Object.keys(KINDS);

/** The products of the API, and the open data. */
export const SERVED = [...PRODUCTS, "open-data"] as const;
export type ServedProduct = (typeof SERVED)[number];

/** One product, or (`*`) every product that has no fault of its own. */
export type FaultTarget = ServedProduct | "*";

const TOO_MANY_BYTES = 9 * 1024 * 1024;

export function openFaultBoard(): FaultBoard<FaultTarget, OwnFault> {
  return new FaultBoard({
    kinds: KINDS,
    isTarget: (text): text is FaultTarget => text === "*" || SERVED.some((product) => product === text),
    targets: `a product (${SERVED.join(", ")}), or * for all products without a fault of their own`,
  });
}

/** Sends a response under a fault. @param errorOf the error of the product with a code and a status */
export function respond(
  outgoing: Outgoing,
  reply: Reply,
  fault: ActiveFault | OwnFault | undefined,
  errorOf = (code: string, status?: number) => errorAnswer(code, "", status),
): Promise<void> {
  const { body, headers } = reply;
  switch (fault?.kind) {
    case "code":
      return sendReply(outgoing, errorOf(fault.code, fault.status));
    case "gateway":
      return sendReply(outgoing, gatewayAnswer(fault.status));
    case "contentType":
      return sendReply(outgoing, { ...reply, headers: { ...headers, "content-type": fault.type } });
    case "tooLarge":
      return sendReply(outgoing, { ...reply, body: { ...body, vulling: "x".repeat(TOO_MANY_BYTES) } });
    case "deviate": {
      const { field, value } = fault;
      const changed = mapObjects(body, (object) =>
        Object.hasOwn(object, field) ? { ...object, [field]: value } : object,
      );
      return sendReply(outgoing, { ...reply, body: changed });
    }
    case "links":
      return sendReply(outgoing, { ...reply, body: withArrayLinks(body) });
    default:
      return sendReply(outgoing, reply, fault);
  }
}

/** The body with `links: [{rel, href}]` instead of `_links: {rel: {href}}`. */
export function withArrayLinks(body: JsonObject): JsonObject {
  return mapObjects(body, ({ _links: links, ...rest }) =>
    links === undefined
      ? rest
      : {
          ...rest,
          links: Object.entries(objectOf(links)).map(([rel, link]) => ({ rel, ...objectOf(link) })),
        },
  );
}
