<?php
function user_of() { return 'user-1'; }

function refuse(int $status, string $reason): never {
    error_log("catalog-token: $reason");
    http_response_code($status);
    exit;
}

// PHP's own server passes every request on: it answers those of the page itself.
if (PHP_SAPI === 'cli-server' && parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/catalog-token') return false;

$names = ['SERVICE', 'KID', 'SECRET', 'ISSUER', 'AUDIENCE'];
// Both: under FPM, getenv() does not find names of three letters.
$settings = array_map(fn ($name) => $_SERVER[$name] ?? getenv($name), array_combine($names, $names));
$missing = array_diff($names, array_keys(array_filter($settings)));
if ($missing) refuse(500, 'not set: ' . implode(', ', $missing));
[$service, $kid, $secret, $issuer, $audience] = array_values($settings);
$user = user_of();
if ($_SERVER['REQUEST_METHOD'] !== 'POST' || !$user) refuse(401, 'nobody is logged in');

$b64 = fn ($bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
$header = $b64(json_encode(['alg' => 'dir', 'enc' => 'A256GCM', 'kid' => $kid]));
$claims = ['iss' => $issuer, 'aud' => $audience, 'sub' => $user,
    'iat' => time(), 'exp' => time() + 300, 'jti' => bin2hex(random_bytes(16))];
$iv = random_bytes(12);
$key = base64_decode(strtr($secret, '-_', '+/'));
$sealed = openssl_encrypt(json_encode($claims), 'aes-256-gcm', $key, OPENSSL_RAW_DATA, $iv, $tag, $header);
$token = implode('.', [$header, '', $b64($iv), $b64($sealed), $b64($tag)]);

$curl = curl_init("$service/api/v1/auth/session");
curl_setopt_array($curl, [
    CURLOPT_POSTFIELDS => '{"scope":"search"}',
    CURLOPT_HTTPHEADER => ["x-auth-token: $token", 'Content-Type: application/json'],
    CURLOPT_HEADERFUNCTION => function ($_, $line) use (&$id) {
        if (stripos($line, 'X-Request-Id:') === 0) $id = trim(substr($line, 13));
        return strlen($line);
    },
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 15,
]);
$answer = curl_exec($curl);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
if ($status !== 200) refuse(502, "$status " . ($answer ?: curl_error($curl)) . " $id");
header('Content-Type: application/json');
header('Cache-Control: no-store');
echo $answer;
