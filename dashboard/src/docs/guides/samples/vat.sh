curl -H "Authorization: Bearer $OPZOEK_KEY" https://opzoek.example/v1/validate/vat/NL123456782B01
