import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { type BrokenRequestAnswerer, SLOW_UPLOAD, TOO_SLOW } from "./brokenRequests.ts";
import { connectionsOf, everyMs, stateOf } from "./connections.ts";
import { BODY_TIMES, type BodyTimes } from "./limits.ts";

/** The progress of a request whose body is incomplete. */
interface Arrival {
  readonly answer: ServerResponse;
  readonly isUpload: boolean;
  readonly bytesRead: number;
  /** Time in which no bytes arrived, and time since the request began or was answered. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/**
 * Cuts requests whose bodies arrive too slowly. Node.js has one limit for all requests, but an upload may take long. An
 * upload is no longer one when it was answered, for example because it was refused.
 */
export function cutSlowBodies(
  server: Server,
  cut: BrokenRequestAnswerer,
  times: BodyTimes = BODY_TIMES,
): void {
  const open = connectionsOf(server);
  let known = new Map<Socket, Arrival>();
  const checkProgress = () => {
    const before = known;
    known = new Map();
    for (const socket of open) {
      const { newest: answer, request, bytesBefore, isBroken } = stateOf(socket);
      if (answer === undefined || answer.req.complete || isBroken) continue;
      // The caller was checked before its body became a stream.
      const isUpload = request?.body instanceof Readable && !answer.writableEnded;
      const { bytesRead } = socket;
      const last = before.get(socket);
      const isSame = last?.answer === answer && last.isUpload === isUpload;
      // Counted in checks, so that time in which this process was suspended does not count against the client.
      const totalMs = isSame ? last.totalMs + times.checkEveryMs : 0;
      const idleMs = isSame && last.bytesRead === bytesRead ? last.idleMs + times.checkEveryMs : 0;
      const arrival = { answer, isUpload, bytesRead, idleMs, totalMs };
      if (!isTooSlow(arrival, bytesRead - bytesBefore, times)) known.set(socket, arrival);
      else cut(Object.assign(new Error("too slow"), { code: isUpload ? SLOW_UPLOAD : TOO_SLOW }), socket);
    }
  };
  everyMs(times.checkEveryMs, server, checkProgress);
}

function isTooSlow({ isUpload, idleMs, totalMs }: Arrival, bytes: number, times: BodyTimes): boolean {
  if (!isUpload) return totalMs >= times.wholeMs;
  const isBelowRate = (bytes * 1_000) / totalMs < times.minBytesPerSecond;
  return idleMs > times.pauseMs || (totalMs > times.slowAfterMs && isBelowRate);
}
