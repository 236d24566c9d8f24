import { expect, it } from "vitest";
import { Tickets } from "./tickets.ts";

it("represents its key once, and ends with its call", async () => {
  const tickets = new Tickets();
  const seen: string[] = [];
  await tickets.with("key_one", async (ticket) => {
    seen.push(ticket);
    expect(tickets.take("ticket_made_up")).toBeUndefined();
    expect(tickets.take(ticket)).toEqual({ id: "key_one", kind: "live" });
    expect(tickets.take(ticket)).toBeUndefined();
  });
  await tickets
    .with("key_two", async (ticket) => {
      seen.push(ticket);
      throw new Error("the call failed");
    })
    .catch(() => {});
  for (const ticket of seen) expect(tickets.take(ticket)).toBeUndefined();
  expect(new Set(seen).size).toBe(2);
});

it("allows four calls of a key at once", async () => {
  const tickets = new Tickets();
  const gate = Promise.withResolvers<void>();
  const inProgress = Array.from({ length: 4 }, () => tickets.with("key_one", () => gate.promise));
  await expect(tickets.with("key_one", () => gate.promise)).rejects.toMatchObject({
    code: "RATE_LIMIT_EXCEEDED",
  });
  const another = tickets.with("key_two", () => gate.promise);
  gate.resolve();
  await Promise.all([...inProgress, another]);
  await tickets.with("key_one", () => gate.promise);
});
