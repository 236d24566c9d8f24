import json, os, urllib.request

numbers = ["51234567", "09876543", "00000001"]
for start in range(0, len(numbers), 100):
    request = urllib.request.Request(
        "https://opzoek.example/v1/lookup/batch",
        headers={"Authorization": "Bearer " + os.environ["OPZOEK_KEY"], "Content-Type": "application/json"},
        data=json.dumps({"kvkNumbers": numbers[start : start + 100]}).encode(),
    )
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    for company in answer["results"]:
        print(company["kvkNumber"], company["name"])
    for failed in answer["failed"]:
        print(failed["kvkNumber"], failed["error"]["code"])
