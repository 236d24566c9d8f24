/** The thread that speaks the Model Context Protocol: loading its library takes a fifth of a second, which no call may wait for. */
import { parentPort, workerData } from "node:worker_threads";
import type { McpFacts, ToolOutcome } from "../http/mcp/protocol.ts";
import { answerMessage } from "./answering.ts";
import type { FromThread, ToThread } from "./messages.ts";

const facts: McpFacts = workerData;
const waiting = new Map<number, { resolve(outcome: ToolOutcome): void; reject(error: Error): void }>();
const tell = (told: FromThread) => parentPort?.postMessage(told);

parentPort?.on("message", (given: ToThread) => {
  if (given.kind === "message") {
    const { id, message } = given;
    const callTool = (name: string, args: Readonly<Record<string, unknown>>) =>
      new Promise<ToolOutcome>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        tell({ kind: "call", id, name, given: args });
      });
    answerMessage(message, facts, callTool).then(
      (answer) => tell({ kind: "answer", id, answer }),
      (error: unknown) => tell({ kind: "failed", id, error }),
    );
    return;
  }
  const waiter = waiting.get(given.id);
  waiting.delete(given.id);
  if (given.kind === "outcome") waiter?.resolve(given.outcome);
  else waiter?.reject(new Error("the tool failed"));
});
