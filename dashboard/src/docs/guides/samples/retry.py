import json, os, time, urllib.error, urllib.request

MAY_HELP = {"RATE_LIMIT_EXCEEDED", "UPSTREAM_ERROR", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"}


def call(path, tries=5):
    request = urllib.request.Request(
        "https://opzoek.example" + path,
        headers={"Authorization": "Bearer " + os.environ["OPZOEK_KEY"]},
    )
    for attempt in range(1, tries + 1):
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return json.load(response)
        except urllib.error.HTTPError as failed:
            error = json.load(failed)["error"]
            if error["code"] not in MAY_HELP or attempt == tries:
                raise RuntimeError(error["code"] + ": " + error["message"])
            # The service says how long to wait; where it does not, wait longer each time.
            time.sleep(int(failed.headers.get("Retry-After") or 2**attempt))


company = call("/v1/lookup/51234567")
print(company["kvkNumber"], company["name"])
