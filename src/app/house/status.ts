import { STATE_CODES } from "../../vat/numbers/states.ts";
import type { House } from "./house.ts";
import type { Status } from "./messages.ts";

/** How the upstreams of a house are now. */
export function statusOf({ vies, live }: Pick<House, "vies" | "live">): Status {
  return {
    vies: {
      shown: vies.shown(),
      keptAway: STATE_CODES.filter((state) => !vies.flights.permits(state)),
    },
    live: live && {
      origin: live.companies.origin,
      awayBecause: live.companies.awayBecause,
      health: live.companies.health,
      breakers: live.breakers(),
    },
  };
}

/** Whether nothing is left alone: then nothing changes but by an ask. */
export function isCalm({ vies, live }: Status): boolean {
  const isOpen = [...vies.shown, ...(live?.breakers ?? [])].some((one) => one.isOpen);
  return (
    !isOpen &&
    vies.keptAway.length === 0 &&
    (live === undefined || (live.awayBecause === undefined && live.health === "up"))
  );
}
