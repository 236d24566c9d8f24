/** Two nodes on one database that are killed in turn, at moments of their work. */
import type { DatabaseProxy, Fate, Message } from "./databaseProxy.ts";
import type { Service } from "./service.ts";

export const isStatement = (begins: RegExp) => (message: Message) =>
  message.type === "P" && begins.test(message.text.trimStart());
export const isCommit = ({ type, text }: Message) => type === "Q" && text === "commit";

export interface Moment {
  /** The messages of a node to the database, in order; it is killed at the last one. */
  readonly steps: readonly ((message: Message) => boolean)[];
  /** Whether the last message arrives. */
  readonly fate: Fate;
}

export interface Node {
  readonly proxy: DatabaseProxy;
  readonly service: Service;
}

/** Kills the first of two nodes that reaches the first moment, then the other at the second moment. */
export function killedInTurn(nodes: readonly Node[], moments: readonly Moment[]): Promise<unknown> {
  const dead = new Set<Node>();
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const node of nodes) {
    let progress = { deaths: 0, steps: 0 };
    node.proxy.decide((message) => {
      const deaths = dead.size;
      const moment = moments[deaths];
      if (moment === undefined || dead.has(node)) return "pass";
      const steps = progress.deaths === deaths ? progress.steps : 0;
      progress = { deaths, steps: moment.steps[steps]?.(message) === true ? steps + 1 : steps };
      if (progress.steps < moment.steps.length) return "pass";
      dead.add(node);
      node.service.program.child.kill("SIGKILL");
      if (dead.size === moments.length) resolve();
      return moment.fate;
    });
  }
  return promise.then(() => Promise.all(nodes.map(({ service }) => service.program.ended)));
}
