/** Advice for operators on each log message, for `docs/logs.md`. Every warning and error needs an entry. */
export const LOG_ADVICE: Readonly<Record<string, string>> = {
  "KVK rejects this service's calls: check KVK_API_KEY, KVK_API_URL and KVK_API_CA":
    "`KEY_REFUSED`: renew the key with KVK. `NO_SUCH_ADDRESS`: correct `KVK_API_URL`. `UNTRUSTED_CERTIFICATE`: set `KVK_API_CA` to KVK's root certificate.",
  "a call failed":
    "A bug: the caller got 500. Report the line. `requestId` and `route` identify the call. At most one line a second per kind; `leftOut` counts the others.",
  "a mail could not be sent":
    "The mail server rejected it, or its link expired. Fix what `reason` says; the person must request it again.",
  "a mail could not be sent yet: trying again":
    "Four attempts failed; the service keeps trying. See [Mails do not arrive](troubleshooting.md#mails-do-not-arrive).",
  "a new registry snapshot cannot be used":
    "The previous registry is served. Run `opzoek registry verify`, then import again or run `opzoek registry rollback`.",
  "a worker process ended unexpectedly and is being restarted":
    "If it repeats, read the lines before it and check the memory limit. `code` or `signal` says how it ended.",
  "changes of monitored companies cannot be processed":
    "A bug, or a damaged state. No change is lost. Run `opzoek state check` and report the line.",
  "lists cannot be processed": "A bug, or a damaged state. Run `opzoek state check` and report the line.",
  "no worker process can start: the service exits; see the lines above":
    "Fix what the lines before it say. The service manager restarts the service.",
  "uncaught error: the process exits":
    "A bug. Report the line with its stack. The service manager restarts the service.",
  "rows of a list could not be matched":
    "A bug, or too little memory. The rows are matched later. Report the line if it repeats.",
  "an operation on lists failed": "A bug. Lists continue later. Report the line if it repeats.",
  "an operation of the account page failed":
    "A bug, or a missing key of two-factor sign-in: run `opzoek doctor`. Otherwise report the line.",
  "the index of names could not be built: names cannot be searched; trying again":
    "Search and autocomplete return 503. Check disk space and memory, then run `opzoek registry verify`.",
  "lists of an unknown kind wait for newer nodes: upgrade this node":
    "A newer node accepted them, with `kinds`. Nothing is lost: it processes them. Upgrade this node; see [Upgrade](backup-and-upgrade.md#upgrade). Logged once.",
  "the mail queue cannot be read": "Mails are delayed. Run `opzoek doctor`.",
  "the metrics cannot be read": "A scrape failed. Report the line if it repeats.",
  "the state store is unavailable: calls are refused":
    "Every call with a key returns 503. See [Every call returns 503](troubleshooting.md#every-call-returns-503).",
  "the state cannot be used yet: calls are refused until it is available":
    "The service waits for its database. See [The database is unavailable](troubleshooting.md#the-database-is-unavailable).",
  "the state does not respond: stopping without it; counts in memory are lost, charges are not; check its server":
    "The service stopped without reaching its database. Check the server before the next start.",
  "KVK calls fail and are paused":
    "Nothing, unless it lasts. Stored data is served. `what` is `key`, `kvk` or a product.",
  "KVK's Mutatieservice rejects the subscription: check KVK_SUBSCRIPTION":
    "`NO_SUCH_ADDRESS`: correct `KVK_SUBSCRIPTION`. `KEY_REFUSED`: ask KVK to add the subscription to your key.",
  "KVK's open data does not answer: calls are paused":
    "Nothing, unless it lasts. For `NO_SUCH_ADDRESS`, correct `KVK_OPEN_DATA_URL`.",
  "the Peppol network does not answer: questions are paused":
    "Nothing, unless it lasts. Earlier answers are served for 30 days. Run `opzoek doctor`: check `PEPPOL_ZONE` and `PEPPOL_DNS`, and that DNS also works over TCP. See [Peppol](peppol.md#settings).",
  "the cases of the court's register cannot be read":
    "Usually an outage of the state. The cases in memory are served, `none` for three days at most. Otherwise report the line.",
  "the court's register cannot be updated":
    "Usually an outage of the state. Another try follows within minutes. Otherwise report the line.",
  "the court's register does not answer: calls are paused":
    "Nothing, unless it lasts: check `CIR_URL` and the network, and `CIR_USER` and `CIR_PASSWORD` if the court refuses the login. If its certificate is not trusted, set `CIR_CA`.",
  "the court's register could not be updated: trying again later":
    "Nothing, unless it lasts for two working days; then there is an alert. `reason` says what failed.",
  "the court published a code that this program does not know; it changes nothing":
    "Upgrade, or report the code. Logged once for each code.",
  'the court removed so many cases that they are hidden, but not deleted: check the register, then run "opzoek import insolvencies --allow-removals"':
    "More than 20 cases, and more than a tenth of all, were removed at once. If the court's website shows that they are gone, run the command. Until then their companies get no answer.",
  'the court\'s register is not loaded yet: run "opzoek import insolvencies"':
    "Run it, at night or in the weekend. See [Insolvencies](data.md#insolvencies).",
  "work on monitored companies failed": "A bug. It continues later. Report the line if it repeats.",
  "KVK returned a field in an unknown format; it is ignored":
    "KVK changed its API. Upgrade, or report the line.",
  "VIES answered about another number; this counts as an outage":
    "Check whether a proxy between the service and VIES caches.",
  "VIES calls fail and are paused":
    "Usually nothing: states are often busy. For `IP_BLOCKED` see [VIES](data.md#vies). `what` is `vies`, a state or `address`.",
  "accounts have tiers that are missing from TIERS_FILE: they may make one call a minute":
    "Add these tiers to `TIERS_FILE`, or change the accounts' tier with `opzoek account tier`.",
  "accounts of free tiers have used their share of today's calls to KVK":
    "Raise `KVK_FREE_SHARE` or `KVK_DAILY_CALLS` if it happens often.",
  "calls were counted while the clock was ahead: each key and account is corrected by its next call":
    "Correct the clock if it is still wrong: [Wrong clock](troubleshooting.md#wrong-clock).",
  "recent calls were not recorded: there are too many, or the state is busy":
    "Nothing: charges are exact, only lists of recent calls have gaps.",
  "log lines were lost: the log could not be written":
    "Free space on the log's disk, or repair the program that reads the log.",
  "spans could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector":
    "Read the collector's log. For `ERR_INVALID_HTTP_TOKEN`, correct `OTEL_EXPORTER_OTLP_HEADERS`.",
  "the database is not configured as recommended": "Do what `remedy` says.",
  "a webhook does not accept messages":
    "Nothing: messages are retried. It is logged once an hour for each host of an account, by each process. `reason` is the status or the error. If it lasts, inform the account's owner.",
  "a webhook message was dropped: the webhook did not accept it in time, or is gone":
    "Inform the account's owner. The results of the list remain.",
  "the published registry cannot be fetched":
    "The previous registry is served. `reason` or `err` says why; `opzoek registry fetch` tries again.",
  "the published registry has far fewer companies than before: roll back if that is not intended":
    "If it is wrong, roll back on the publishing node and publish: [A bad import is served](troubleshooting.md#a-bad-import-is-served).",
  "the signature of the published registry is old: check that it is still published":
    "Check the job that runs `opzoek registry publish` each day.",
  "the state is ahead of its clock: check the clock; keys and accounts are corrected by their next call":
    "Correct the clock if `now` is wrong.",
  "the state rejected a value of a call": "A bug: the caller got 400. Report the line.",
  "today's calls to KVK are used up":
    "Stored data is served until midnight in the Netherlands. Raise `KVK_DAILY_CALLS` if it happens often.",
  "too many calls at once: some are refused":
    "Callers got 503. If it repeats, the disk or database is slow, or the machine too small.",
  "could not check whether the state is ahead of its clock": "Nothing: calls are still counted correctly.",
  "an account was changed": "See [Changes by operators](#changes-by-operators).",
  starting: "The first line; the fields are those of `opzoek --version`.",
};
