import { type CallOptions, GuardedClient } from "../../upstream/guardedClient.ts";
import type { VatNumber } from "../numbers/parse.ts";
import type { StateCode } from "../numbers/states.ts";
import type { ViesBreakers } from "./breakers.ts";
import * as codes from "./codes.ts";
import type { ViesResult, ViesScope } from "./results.ts";
import type { Requester, ViesUpstream } from "./upstream.ts";

export interface ViesClientOptions extends CallOptions<StateCode, ViesResult> {
  readonly upstream: ViesUpstream;
  readonly breakers: ViesBreakers;
  /** The maximum of concurrent calls for one state. */
  readonly perState: number;
}

const MAX_QUEUED_PER_STATE = 10_000;
const MAX_RETRIES = 2;

/** Asks VIES, with few calls at once for each state. */
export class ViesClient {
  readonly #upstream: ViesUpstream;
  readonly #client: GuardedClient<StateCode, ViesScope, ViesResult>;
  /** The number for which VIES last answered about another one. */
  #mixedUp: string | undefined;

  constructor({ upstream, perState, ...options }: ViesClientOptions) {
    this.#upstream = upstream;
    this.#client = new GuardedClient<StateCode, ViesScope, ViesResult>({
      ...options,
      atOnce: perState,
      maxQueued: MAX_QUEUED_PER_STATE,
      isLimitPerTarget: true,
      maxRetries: MAX_RETRIES,
      results: {
        notAsked: codes.NOT_ASKED,
        queuedTooLong: codes.QUEUED_TOO_LONG,
        timedOut: codes.TIMED_OUT,
        cutShort: codes.CUT_SHORT,
        late: codes.TIMED_OUT,
      },
    });
  }

  /** Asks VIES about a number. `deadline` aborts the call. Never rejects. */
  ask(number: VatNumber, requester: Requester | undefined, deadline: AbortSignal): Promise<ViesResult> {
    return this.#client.ask(number.countryCode, deadline, (send) =>
      send(async (signal) => {
        const result = await this.#upstream.check(number, requester, signal);
        if (result !== codes.OTHER_NUMBER) return result;
        const isRepeated = this.#mixedUp === number.vatNumber;
        this.#mixedUp = number.vatNumber;
        return isRepeated ? codes.OTHER_NUMBER_AGAIN : result;
      }),
    );
  }
}
