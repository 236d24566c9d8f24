import { causeOf, ENDED } from "./causes.ts";
import type { Losses } from "./losses.ts";

/** An exporter as the library has it. */
interface Exporter<Span, Result> {
  export(spans: Span[], done: (result: Result) => void): void;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * The same exporter; batches that it does not get rid of in time are told as lost. It goes on waiting by itself: for a connection as long as the
 * system does, more than two minutes.
 */
export class ToldExporter<Span, Result extends { error?: Error }> implements Exporter<Span, Result> {
  readonly #exporter: Exporter<Span, Result>;
  readonly #losses: Losses;
  readonly #withinMs: number;
  #underWay = 0;

  constructor(exporter: Exporter<Span, Result>, losses: Losses, withinMs: number) {
    this.#exporter = exporter;
    this.#losses = losses;
    this.#withinMs = withinMs;
  }

  export(spans: Span[], done: (result: Result) => void): void {
    this.#underWay += spans.length;
    let isSettled = false;
    const settle = (cause: string | undefined) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(late);
      this.#underWay -= spans.length;
      if (cause !== undefined) this.#losses.add(cause, spans.length);
    };
    const late = setTimeout(
      () => settle(`no answer within ${this.#withinMs / 1_000} seconds`),
      this.#withinMs,
    ).unref();
    this.#exporter.export(spans, (result) => {
      settle(result.error === undefined ? undefined : causeOf(result.error));
      done(result);
    });
  }

  /** Tells what nobody waits for any more. */
  abandon(): void {
    if (this.#underWay > 0) this.#losses.add(ENDED, this.#underWay);
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }
}
