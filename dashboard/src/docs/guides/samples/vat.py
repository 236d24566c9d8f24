import json, os, urllib.error, urllib.request

number = "NL123456782B01"
request = urllib.request.Request(
    "https://opzoek.example/v1/validate/vat/" + number,
    headers={"Authorization": "Bearer " + os.environ["OPZOEK_KEY"]},
)
try:
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    if answer["status"] == "malformed":
        print(number + ": cannot exist; check what was typed")
    else:
        of = ", as of " + answer["validatedAt"] if answer["status"] == "stale" else ""
        print(number + ": " + ("valid" if answer["valid"] else "not valid") + of)
except urllib.error.HTTPError as failed:
    error = json.load(failed)["error"]
    if error["code"] != "UPSTREAM_ERROR":
        raise RuntimeError(error["code"] + ": " + error["message"])
    print(number + ": nobody can say now; ask again later")
