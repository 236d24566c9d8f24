/** How slowly the body of a request may arrive. Slower requests are cut off. */
export const BODY_TIMES = {
  /** Time for the whole request, or for its rest once it was answered. Uploads have no such limit. */
  wholeMs: 15_000,
  /** The longest pause of an upload. */
  pauseMs: 15_000,
  /** The average rate of an upload, and the time after which it counts. */
  minBytesPerSecond: 32_768,
  slowAfterMs: 30_000,
  checkEveryMs: 1_000,
};
export type BodyTimes = Readonly<typeof BODY_TIMES>;

/** Limits of requests. */
export const LIMITS = {
  /** A batch of 100 numbers is 1.2 KB; the rest is room for whitespace. */
  bodyLimit: 65_536,
  /** Longer than any upload may take, see {@link BODY_TIMES}. */
  requestTimeout: 3_600_000,
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
