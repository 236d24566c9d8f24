import json, os, urllib.request

request = urllib.request.Request(
    "https://opzoek.example/v1/usage",
    headers={"Authorization": "Bearer " + os.environ["OPZOEK_KEY"]},
)
with urllib.request.urlopen(request) as response:
    usage = json.load(response)
tokens, rate = usage["tokens"], usage["rateLimit"]
print(f"{tokens['remaining']} of {tokens['limit']} tokens left this month")
print(f"{rate['remaining']} of {rate['limit']} calls left this minute")
