import type { CliContext } from "./command.ts";
import { type Progress, showProgress } from "./progress.ts";

/** How far work of several stages is; `total` where it is known. */
export interface StagedWork {
  readonly stage: string;
  readonly unit: string;
  readonly done: number;
  readonly total?: number;
}

/** One bar, or one series of lines, for each stage. */
export class StageProgress {
  readonly #context: CliContext;
  #stage: string | undefined;
  #progress: Progress | undefined;

  constructor(context: CliContext) {
    this.#context = context;
  }

  update({ stage, unit, done, total }: StagedWork): void {
    const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;
    const shown = unit === "bytes" ? megabytes : (count: number) => count;
    if (stage !== this.#stage) {
      this.end();
      this.#stage = stage;
      const what = unit === "bytes" ? `${stage}, MB` : stage;
      this.#progress = showProgress(this.#context, what, total === undefined ? undefined : shown(total));
    }
    this.#progress?.update(shown(done));
  }

  end(): void {
    this.#progress?.end();
  }
}
