import { deliver, type Outgoing, type Reply, send } from "../transport.ts";
import { errorAnswer, gatewayAnswer } from "./answers.ts";
import type { MetFault } from "./faults.ts";
import { objectOf } from "./json.ts";

const TOO_MANY_BYTES = 9 * 1024 * 1024;

/** Sends the answer as the fault has it; a hang is not for here. Settles when all is sent or the caller is gone. */
export async function deliverUnder(
  outgoing: Outgoing,
  reply: () => Reply,
  fault: MetFault | undefined,
): Promise<void> {
  switch (fault?.kind) {
    case "code":
      return send(outgoing, errorAnswer(fault.code, "", fault.status));
    case "gateway":
      return send(outgoing, gatewayAnswer(fault.status));
    case "contentType": {
      const whole = reply();
      return send(outgoing, { ...whole, headers: { ...whole.headers, "content-type": fault.type } });
    }
    case "tooLarge": {
      const whole = reply();
      return send(outgoing, { ...whole, body: { ...whole.body, vulling: "x".repeat(TOO_MANY_BYTES) } });
    }
    case "deviate": {
      const whole = reply();
      return send(outgoing, { ...whole, body: objectOf(replaced(whole.body, fault.field, fault.value)) });
    }
    case "links":
      return send(outgoing, reply());
    default:
      return deliver(outgoing, reply, fault);
  }
}

/** The same with another value in the place of every field of this name. */
function replaced(value: unknown, field: string, by: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, field, by));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === field ? by : replaced(inner, field, by)]),
  );
}
