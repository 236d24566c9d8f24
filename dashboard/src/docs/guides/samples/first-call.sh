curl -H "Authorization: Bearer $OPZOEK_KEY" https://opzoek.example/v1/lookup/51234567
