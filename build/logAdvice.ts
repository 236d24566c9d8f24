/** Advice for operators by message of the log. Every warning and error needs a line; `docs/logs.md` shows it. */
export const LOG_ADVICE: Readonly<Record<string, string>> = {
  "KVK refuses the calls of this service: check KVK_API_KEY, KVK_API_URL and KVK_API_CA":
    "`reason` `KEY_REFUSED`: renew the key with KVK. `NO_SUCH_ADDRESS`: correct `KVK_API_URL`. `UNTRUSTED_CERTIFICATE`: name KVK's root certificate in `KVK_API_CA`. Logged once a minute at most.",
  "a call failed":
    "A bug in the service; the caller got 500. Report the line. `requestId` and `route` name the call. Each kind is logged once a second at most; `leftOut` counts the others.",
  "a mail could not be sent":
    "The mail server refused it for good, or its link has expired. Fix what `reason` says; the person must ask again.",
  "a mail could not be sent yet and is tried again":
    "Four attempts failed; the service keeps trying. Check `SMTP_URL` and the mail server. See [Mails do not arrive](runbook.md#mails-do-not-arrive).",
  "a new registry snapshot cannot be used":
    "The previous snapshot is still served. Run `opzoek registry verify`, then import again or run `opzoek registry rollback`.",
  "a worker process has ended and is restarted":
    "Callers of the other workers notice nothing. If it repeats, look at the lines before it and at the memory limit. `code` or `signal` says how it ended.",
  "lists cannot be worked on":
    "A bug in the service, or a damaged state. Run `opzoek state check`; report the line.",
  "no worker process can start: the service ends; see the lines before":
    "Fix what the lines before it say; the service manager starts the service again.",
  "an error was not caught: the process ends":
    "A bug in the service. The service manager starts it again. Report the line with its stack.",
  "something for lists failed": "A bug in the service. Lists go on later. Report the line if it repeats.",
  "something for the account page failed":
    "A bug in the service, or a missing key of two-factor sign-in: run `opzoek doctor`. Report the line otherwise.",
  "the index of names could not be built: names cannot be searched; it is tried again":
    "Search and autocomplete answer 503. Check disk space and memory, then run `opzoek registry verify`.",
  "waiting mails cannot be read": "Mails are late until the state can be read again. Run `opzoek doctor`.",
  "the metrics cannot be read":
    "A scrape of `/metrics` failed; the next one tries again. Report the line if it repeats.",
  "the state cannot be used: calls are refused":
    "Every call with a key answers 503. See [Every call answers 503](runbook.md#every-call-answers-503).",
  "the state cannot be used: calls are refused until it is there":
    "The database is away at the start; the service waits for it. See [The database is away](runbook.md#the-database-is-away).",
  "the state does not respond, and is left: counts still in memory are lost, no charge is; check its server":
    "The service stopped without its database. Check the database server before the next start.",
  "KVK fails and is not called for a while":
    "Nothing, unless it lasts. Stored data is served meanwhile. `what` is `key`, `kvk` or a product.",
  "KVK sends a field in an unknown form; it is left out":
    "KVK changed its API. Update Opzoek, or report the line. Logged once for each field.",
  "VIES answered about another number; this counts as no answer":
    "Check the proxy between the service and VIES, which may cache.",
  "VIES fails and is not called for a while":
    "Usually nothing: registers of the states are often busy. With `reason` `IP_BLOCKED` see [VIES](sources.md#vies). `what` is `vies`, a state or `address`.",
  "accounts have tiers that TIERS_FILE lacks: they may make one call a minute":
    "Name the file that has these tiers in `TIERS_FILE`, or give the accounts another tier with `opzoek account tier`.",
  "accounts of free tiers have used their share of today's calls to KVK":
    "Raise `KVK_FREE_SHARE` or `KVK_DAILY_CALLS` if this happens often.",
  "calls were counted by a clock that was ahead: each key and account is taken back to now with its next call":
    "Correct the clock if it is still wrong; see [A clock that was wrong](high-availability.md#a-clock-that-was-wrong). Logged once an hour at most.",
  "calls were left out of the lists of accounts: there are too many, or the state is busy":
    "Nothing: charges are exact, only the lists of recent calls have gaps. Logged once a minute at most.",
  "lines of the log are lost: it could not be written":
    "Make room on the disk of the log, or repair its reader. `lines` were lost.",
  "spans could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector":
    "Read the collector's log. With a code such as `ERR_INVALID_HTTP_TOKEN`, correct `OTEL_EXPORTER_OTLP_HEADERS`. Logged once a minute at most.",
  "the database is not set up as it should be": "Do what `remedy` says. `opzoek doctor` shows the same.",
  "the message about an ended list was dropped: its webhook did not accept it for a day":
    "Tell the account's owner: the message is dropped, the results of the list remain.",
  "the published registry cannot be fetched":
    "The snapshot before is still served. Run `opzoek registry fetch`, which says why it fails. `reason` or `err` says what is wrong.",
  "the published registry has far fewer companies than the one before: if that is not meant, roll back":
    "If it is wrong, roll back at the publishing node and publish again: [A bad import is served](runbook.md#a-bad-import-is-served).",
  "the published registry was signed long ago: check that it is still published":
    "Check the job that runs `opzoek registry publish` each day.",
  "the state is ahead of its clock: check that the clock is right; keys and accounts are taken back to now with their next call":
    "If `now` is wrong, correct the clock. Otherwise nothing.",
  "the state refused a value that a call has sent":
    "The caller got 400. Report the line: the service should have refused the value itself.",
  "today's calls to KVK are spent":
    "Stored data is served until midnight in the Netherlands. Raise `KVK_DAILY_CALLS` if this happens often.",
  "too many calls at once: some are refused":
    "Callers got 503. If it repeats, the disk or the database is slow, or the machine is too small.",
  "it could not be checked whether the state is ahead of its clock":
    "Nothing: calls are counted correctly without it.",
  "an account was changed": "The audit line of an operator: see [below](#changes-by-operators).",
  starting:
    "The first line: `version`, `commit`, `node`, `snapshotLayout`, `indexLayout`, `stateMigration`, as in `opzoek --version`.",
};
