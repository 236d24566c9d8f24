<?php
$numbers = ["51234567", "09876543", "00000001"];
foreach (array_chunk($numbers, 100) as $chunk) {
    $context = stream_context_create(["http" => [
        "method" => "POST",
        "header" => ["Authorization: Bearer " . getenv("OPZOEK_KEY"), "Content-Type: application/json"],
        "content" => json_encode(["kvkNumbers" => $chunk]),
        "ignore_errors" => true,
    ]]);
    $text = file_get_contents("https://opzoek.example/v1/lookup/batch", false, $context);
    $answer = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    if (isset($answer["error"])) {
        throw new RuntimeException($answer["error"]["code"] . ": " . $answer["error"]["message"]);
    }
    foreach ($answer["results"] as $company) {
        echo $company["kvkNumber"], " ", $company["name"], PHP_EOL;
    }
    foreach ($answer["failed"] as $failed) {
        echo $failed["kvkNumber"], " ", $failed["error"]["code"], PHP_EOL;
    }
}
