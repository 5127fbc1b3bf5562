$ErrorActionPreference = 'Stop'
$service = 'https://catalog.example'
$secrets = Get-Content C:\catalog\secrets.json | ConvertFrom-Json
$body = @{ grant_type = 'client_credentials'; client_id = $secrets.client_id; client_secret = $secrets.client_secret; api_key = $secrets.api_key }
$token = (Invoke-RestMethod "$service/api/v1/auth/token" -Method Post -Body $body).access_token
$address = "$service/admin/datasets/v1/?type=medication&mode=reconcile&max_shrink=5&max_emptied=0"
$headers = @{ Authorization = "Bearer $token"; 'Idempotency-Key' = [guid]::NewGuid().ToString() }
$file = Get-Item C:\export\formulary.csv
if ($file.LastWriteTime -lt (Get-Date).AddHours(-20)) { "$file is older than 20 hours"; exit 2 }
try { $answer = Invoke-RestMethod $address -Method Post -Headers $headers -Form @{ file = $file } -MaximumRetryCount 3 -RetryIntervalSec 5 -MaximumRedirection 0 }
catch { $_.ErrorDetails.Message; exit 1 }
if (-not $answer.data.batch_id) { 'Something else than the service answered.'; exit 6 }
$answer.message
