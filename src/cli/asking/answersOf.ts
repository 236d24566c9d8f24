import type { CliContext } from "../command.ts";
import type { Answers } from "./answers.ts";
import { type AskingOptions, serviceAnswers, serviceOf } from "./server.ts";

/** Whoever answers: the service that is set, else the snapshot, which is loaded then. @throws {WrongUse} for settings that cannot be used */
export async function answersOf(context: CliContext, options: AskingOptions): Promise<Answers> {
  const service = serviceOf(context, options);
  if (service !== undefined) return serviceAnswers(service);
  return (await import("./local.ts")).localAnswers(context);
}
