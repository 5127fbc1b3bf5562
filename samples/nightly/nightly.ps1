# Exit codes: 0 written, 2 the file or a clock, 6 no response of the service, 8 written, but the file was replaced
# meanwhile, 1 any other reason.
$ErrorActionPreference = 'Stop'
$service = 'https://catalog.example'
$name = 'C:\export\formulary.csv'
# The export writes it last. Without one: $marker = $null
$marker = 'C:\export\formulary.done'
function Stop-Run($why) { $why; exit 2 }
if (-not (Test-Path -LiteralPath $name -PathType Leaf)) { Stop-Run "$name is missing" }
$file = Get-Item -LiteralPath $name
if ($file.LastWriteTime -lt (Get-Date).AddHours(-20)) { Stop-Run "$name is older than 20 hours" }
if ($marker -and -not ((Test-Path $marker) -and (Get-Item $marker).LastWriteTime -ge $file.LastWriteTime)) { Stop-Run "$name is not finished: $marker is missing, or older" }
$bytes = [IO.File]::ReadAllBytes($name)
if ($bytes.Length -eq 0 -or $bytes[-1] -notin 10, 13) { Stop-Run "$name may be truncated: its last line does not end with a line break" }
$secrets = Get-Content C:\catalog\secrets.json | ConvertFrom-Json
$body = @{ grant_type = 'client_credentials'; client_id = $secrets.client_id; client_secret = $secrets.client_secret; api_key = $secrets.api_key }
$token = (Invoke-RestMethod "$service/api/v1/auth/token" -Method Post -Body $body -ResponseHeadersVariable served).access_token
# With a wrong clock, a file of yesterday would look like one of today.
$apart = ([DateTimeOffset]::Parse($served.Date[0]) - [DateTimeOffset]::Now).Duration()
if ($apart.TotalMinutes -gt 5) { Stop-Run "The clock of this machine differs from that of the service: $($served.Date)" }
$address = "$service/admin/datasets/v1/?type=medication&mode=reconcile&max_shrink=5&max_emptied=0"
$key = [guid]::NewGuid().ToString()
$headers = @{ Authorization = "Bearer $token"; 'Idempotency-Key' = $key; 'Content-Disposition' = 'attachment; filename="formulary.csv"' }
try { $answer = Invoke-RestMethod $address -Method Post -Headers $headers -Body $bytes -ContentType 'text/csv' -MaximumRetryCount 3 -RetryIntervalSec 5 -MaximumRedirection 0 }
catch { $_.ErrorDetails.Message; exit 1 }
# A response with another key is an old one, which a cache has kept.
if ($answer.data.idempotency_key -ne $key) { 'The response is not one of the service to this request.'; exit 6 }
$answer.message
if (-not (Test-Path -LiteralPath $name) -or (Get-FileHash -LiteralPath $name).Hash -ne (Get-FileHash -InputStream ([IO.MemoryStream]::new($bytes))).Hash) { "$name was replaced meanwhile: the catalog has the older file"; exit 8 }
