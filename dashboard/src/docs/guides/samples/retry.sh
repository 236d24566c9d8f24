curl --retry 4 --retry-max-time 120 --fail-with-body \
  -H "Authorization: Bearer $OPZOEK_KEY" https://opzoek.example/v1/lookup/51234567
