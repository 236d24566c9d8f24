import json, os, urllib.request

request = urllib.request.Request(
    "https://opzoek.example/v1/lookup/51234567",
    headers={"Authorization": "Bearer " + os.environ["OPZOEK_KEY"]},
)
with urllib.request.urlopen(request) as response:
    company = json.load(response)
print(company["kvkNumber"], company["name"])
