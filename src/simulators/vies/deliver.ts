import { deliver as deliverAny, type Outgoing, type Reply, send } from "../transport.ts";
import { errorAnswer } from "./answers.ts";
import { asUnregistered } from "./check.ts";
import type { MetFault } from "./faults.ts";

/** Sends the answer as the fault has it; a hang is not for here. Settles when all is sent or the caller is gone. */
export async function deliver(
  outgoing: Outgoing,
  reply: () => Reply,
  fault: MetFault | undefined,
): Promise<void> {
  switch (fault?.kind) {
    case "code":
      return send(outgoing, errorAnswer(fault.code, fault.status));
    case "emptyErrors":
      return send(outgoing, { status: 200, body: { actionSucceed: false, errorWrappers: [] } });
    case "nullError":
      return send(outgoing, { status: 200, body: { actionSucceed: false, errorWrappers: [null] } });
    case "missingValid": {
      const { status, body } = reply();
      const { valid: _left, ...rest } = body;
      return send(outgoing, { status, body: rest });
    }
    case "wrongValid": {
      const { status, body } = reply();
      return send(
        outgoing,
        "valid" in body ? { status, body: { ...body, valid: "true" } } : { status, body },
      );
    }
    case "otherNumber": {
      const { status, body } = reply();
      const { vatNumber } = body;
      return send(
        outgoing,
        typeof vatNumber === "string"
          ? { status, body: { ...body, vatNumber: another(vatNumber) } }
          : { status, body },
      );
    }
    case "invalid":
      return send(outgoing, asUnregistered(reply()));
    default:
      return deliverAny(outgoing, reply, fault);
  }
}

/** A number of the same form, with another first digit. */
function another(vatNumber: string): string {
  return vatNumber.replace(/[0-9]/, (digit) => (digit === "9" ? "8" : "9"));
}
