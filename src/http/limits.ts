/** Limits of requests. */
export const LIMITS = {
  /** A batch of 100 numbers is 1.2 KB; the rest is room for whitespace. */
  bodyLimit: 65_536,
  /** Time for the whole request; slower requests are cut off. */
  requestTimeout: 15_000,
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
