/** The thread that changes the registry while a service runs: what is learned comes in, what has to leave is taken out. */
import { parentPort } from "node:worker_threads";
import type { SourcedFacts } from "../../company/facts.ts";
import { OperatorError } from "../../lib/operatorError.ts";
import { RegistryBusy } from "../lock.ts";
import { withdraw } from "../withdrawing/withdraw.ts";
import { learnFacts } from "./learnFacts.ts";
import type { UpkeepAnswer, UpkeepMessage } from "./messages.ts";

const facts: SourcedFacts[] = [];

parentPort?.on("message", (message: UpkeepMessage) => {
  if (message.kind === "facts") {
    for (const one of message.facts) facts.push(one);
    return;
  }
  // What is not known here ends the thread, and with it whoever waits for the answer learns of it.
  void answerTo(message).then((answer) => {
    parentPort?.postMessage(answer);
    parentPort?.close();
  });
});

async function answerTo(message: Exclude<UpkeepMessage, { kind: "facts" }>): Promise<UpkeepAnswer> {
  try {
    return message.kind === "learn"
      ? { kind: "learned", learned: await learnFacts({ ...message.learning, facts }) }
      : { kind: "withdrawn", withdrawn: await withdraw(message.directory, message.leaving) };
  } catch (error) {
    if (error instanceof RegistryBusy) return { kind: "busy" };
    if (error instanceof OperatorError) return { kind: "refused", message: error.message };
    throw error;
  }
}
