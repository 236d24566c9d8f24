// Causes each error of the service and of the connection.
import {
  AbortedError,
  Opzoek,
  RangeNotSatisfiableError,
  ServiceError,
  UnexpectedAnswerError,
} from "@opzoek/client";
import { Jobs } from "@opzoek/client/jobs";

const opzoek = new Opzoek({ baseUrl: "http://127.0.0.1:8080", key: process.env.OPZOEK_KEY });
const jobs = new Jobs({ baseUrl: "http://127.0.0.1:8080", key: process.env.OPZOEK_KEY });

const failing = async (call) => (await call.catch((error) => error)).name;

console.log(await failing(opzoek.lookup("123"))); // InvalidKvkNumberError
console.log(await failing(opzoek.vat("GB123456789"))); // InvalidVatNumberError
console.log(await failing(opzoek.search({ q: "b" }).next())); // InvalidRequestError
console.log(await failing(opzoek.vat("DE399999301", { retries: 0 }))); // UpstreamError
console.log(await failing(opzoek.usage({ timeoutMs: 0 }))); // TimeoutError

const mistyped = new Opzoek({ baseUrl: "http://127.0.0.1:8080", key: "opz_live_mistyped" });
console.log(await failing(mistyped.usage())); // UnauthorizedError
const nowhere = new Opzoek({ baseUrl: "http://127.0.0.1:1", retries: 0 });
console.log(await failing(nowhere.health())); // ConnectionError

// A test key returns each error of the service for fixed numbers.
const trial = new Opzoek({ baseUrl: "http://127.0.0.1:8080", key: process.env.OPZOEK_TEST_KEY, retries: 0 });
const failed = async (call) => {
  const error = await call.catch((thrown) => thrown);
  return error instanceof ServiceError ? `${error.name} ${error.status}` : error;
};
console.log(await failed(trial.lookup("99990403"))); // ForbiddenError 403
console.log(await failed(trial.lookup("99990404"))); // NotFoundError 404
console.log(await failed(trial.branches("99990014"))); // NotHeldError 404
console.log(await failed(trial.lookup("99990429"))); // RateLimitExceededError 429
console.log(await failed(trial.lookup("99990430"))); // QuotaExceededError 429
console.log(await failed(trial.lookup("99990500"))); // InternalError 500
console.log(await failed(trial.lookup("99990502"))); // UpstreamError 502
console.log(await failed(trial.lookup("99990503"))); // ServiceUnavailableError 503

const report = { idempotencyKey: "report-2026-11", retries: 1 };
await trial.lookup("99990001", report);
console.log(await failed(trial.lookup("99990002", report))); // ConflictError 409

// Errors of something between client and service, or of requests that this client does not send by itself.
const over = (sent) => {
  const fetch = (url, init) => globalThis.fetch(url, { ...init, ...sent });
  return new Opzoek({ baseUrl: "http://127.0.0.1:8080", key: process.env.OPZOEK_KEY, retries: 0, fetch });
};
const errorOf = (call) => call.catch((error) => error);
const headers = { authorization: `Bearer ${process.env.OPZOEK_KEY}` };

const logIn = new Opzoek({
  baseUrl: "http://127.0.0.1:8080",
  retries: 0,
  fetch: async () => new Response("<h1>Log in</h1>"),
});
console.log((await errorOf(logIn.health())) instanceof UnexpectedAnswerError); // true
const stopped = opzoek.lookup("51234567", { signal: AbortSignal.abort() });
console.log((await errorOf(stopped)) instanceof AbortedError); // true

const elsewhere = new Opzoek({ baseUrl: "http://127.0.0.1:8080/api", retries: 0 });
console.log((await errorOf(elsewhere.health())).name); // RouteNotFoundError
console.log((await errorOf(over({ method: "DELETE" }).usage())).name); // MethodNotAllowedError
const asText = { headers: { ...headers, "content-type": "text/plain" } };
console.log((await errorOf(over(asText).batch(["51234567"]))).name); // UnsupportedMediaTypeError
console.log((await errorOf(opzoek.batch(["5".repeat(100_000)]))).name); // PayloadTooLargeError

const one = await jobs.submit(["51234567"], { kind: "lookup" });
await jobs.wait(one);
const behind = (url, init) => fetch(url, { ...init, headers: { ...init.headers, range: "bytes=100000-" } });
const asking = new Jobs({
  baseUrl: "http://127.0.0.1:8080",
  key: process.env.OPZOEK_KEY,
  fetch: behind,
  retries: 0,
});
const refused = await asking
  .download(one)
  .next()
  .catch((error) => error);
console.log(refused instanceof RangeNotSatisfiableError, refused.status); // true 416
