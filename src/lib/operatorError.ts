/** An error with a message for the operator: the problem and what to do. Shown without a stack. */
export abstract class OperatorError extends Error {
  /** The exit code of a command that fails with it. 2: it will fail again until a setting is changed. */
  readonly exitCode: 1 | 2 = 1;
}

/** Another process has printed why it failed: only its exit code is passed on. */
export class AlreadyExplained extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`another process ended with exit code ${exitCode}`);
    this.name = "AlreadyExplained";
    this.exitCode = exitCode;
  }
}
