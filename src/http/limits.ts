const HOUR_MS = 3_600_000;

/** How slowly the body of a request may arrive. Slower requests are cut off. */
export interface BodyTimes {
  /** Time for the whole request, or for its rest once it was answered. */
  readonly wholeMs: number;
  /** The longest pause of an upload; an upload has no limit for the whole. */
  readonly pauseMs: number;
  /** The average rate of an upload, and the time after which it counts. */
  readonly minBytesPerSecond: number;
  readonly slowAfterMs: number;
  readonly lookEveryMs: number;
}

export const BODY_TIMES: BodyTimes = {
  wholeMs: 15_000,
  pauseMs: 15_000,
  minBytesPerSecond: 32_768,
  slowAfterMs: 30_000,
  lookEveryMs: 1_000,
};

/** Limits of requests. */
export const LIMITS = {
  /** A batch of 100 numbers is 1.2 KB; the rest is room for whitespace. */
  bodyLimit: 65_536,
  /** Longer than any upload may take, see {@link BODY_TIMES}. */
  requestTimeout: HOUR_MS,
  /** Longer than the idle time of common load balancers, so that they close first. */
  keepAliveTimeout: 75_000,
  return503OnClosing: false,
  forceCloseConnections: "idle" as const,
  exposeHeadRoutes: true,
  routerOptions: {
    /** A long number gets its own error instead of ROUTE_NOT_FOUND. */
    maxParamLength: 16_384,
  },
  http: {
    maxHeaderSize: 16_384,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    /** A missing Host header gets an error of the contract. */
    requireHostHeader: false,
  },
} as const;
