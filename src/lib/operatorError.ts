/** An error whose message tells an operator what is wrong and what to do, so that no stack is needed. */
export abstract class OperatorError extends Error {
  /** The exit code of a command that ends with it. 2: it fails in the same way until a setting is changed. */
  readonly exitCode: 1 | 2 = 1;
}

/** Another process has printed why it failed: nothing is added but its exit code. */
export class AlreadyExplained extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`another process ended with exit code ${exitCode}`);
    this.name = "AlreadyExplained";
    this.exitCode = exitCode;
  }
}
