curl --dump-header - -H "Authorization: Bearer $OPZOEK_KEY" https://opzoek.example/v1/usage
