curl -H "Authorization: Bearer $OPZOEK_KEY" -H "Content-Type: application/json" \
  -d '{"kvkNumbers": ["51234567", "09876543", "00000001"]}' https://opzoek.example/v1/lookup/batch
