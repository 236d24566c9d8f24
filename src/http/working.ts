import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../contract/errors.ts";
import type { Steps } from "../lib/steps.ts";
import type { Delivered, HandlerResult, PreparedCall } from "./endpoint.ts";
import { asText } from "./sending.ts";
import type { Worked } from "./settling.ts";
import { SlowWork } from "./slowWork.ts";

/** Work in steps that was begun. What is left may take longer than may be done before the store was asked about the call. */
export interface Rest {
  readonly rest: Steps<Delivered>;
}

/** The work of calls, up to the bytes of their answers, so that nothing can fail after it was charged. What they throw is their result. */
export class Working {
  readonly #slowWork = new SlowWork();
  readonly #explain: (error: unknown, request: FastifyRequest) => ApiError;

  /** @param explain what went wrong as the caller is told it */
  constructor(explain: (error: unknown, request: FastifyRequest) => ApiError) {
    this.#explain = explain;
  }

  /** The work of a call; of work in steps the first, and what is left. */
  begin(
    { price, work }: PreparedCall,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Worked | Rest | Promise<Worked | Rest> {
    const done = (result: HandlerResult): Worked | Rest | Promise<Worked | Rest> => {
      if ("inSteps" in result) {
        const stepped = (step: IteratorResult<void, Delivered>) =>
          step.done === true ? done(step.value) : { rest: result.inSteps };
        const first = this.#slowWork.first(result.inSteps);
        return first instanceof Promise ? first.then(stepped) : stepped(first);
      }
      return "body" in result ? written(price, result, reply) : { price, result };
    };
    const failed = (error: unknown): Worked => ({ price, result: this.#explain(error, request) });
    try {
      const result = work();
      const worked = result instanceof Promise ? result.then(done) : done(result);
      return worked instanceof Promise ? worked.catch(failed) : worked;
    } catch (error) {
      return failed(error);
    }
  }

  /** All of the work of a call about which the store was asked, in its turn. @throws {MeterOverloaded} (the promise) when too much waits */
  whole(prepared: PreparedCall, request: FastifyRequest, reply: FastifyReply): Promise<Worked> {
    return this.#slowWork.run(async () => {
      const begun = await this.begin(prepared, request, reply);
      if (!("rest" in begun)) return begun;
      try {
        return written(prepared.price, await this.#slowWork.finish(begun.rest), reply);
      } catch (error) {
        return { price: prepared.price, result: this.#explain(error, request) };
      }
    });
  }
}

function written(price: number, { charge, body, isNothing }: Delivered, reply: FastifyReply): Worked {
  return { price, result: { charge, text: asText(reply, body), ...(isNothing && { isNothing }) } };
}
