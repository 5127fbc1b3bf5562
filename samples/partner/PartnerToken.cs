using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

static string PartnerToken(string kid, string secret, string issuer, string audience, string user)
{
    static string B64(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
    var header = B64(JsonSerializer.SerializeToUtf8Bytes(new { alg = "dir", enc = "A256GCM", kid }));
    var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    var claims = JsonSerializer.SerializeToUtf8Bytes(
        new { iss = issuer, aud = audience, sub = user, iat = now, exp = now + 300, jti = Guid.NewGuid() });
    var iv = RandomNumberGenerator.GetBytes(12);
    var ciphertext = new byte[claims.Length];
    var tag = new byte[16];
    using var aes = new AesGcm(Convert.FromBase64String(secret.Replace('-', '+').Replace('_', '/') + "="), 16);
    aes.Encrypt(iv, claims, ciphertext, tag, Encoding.ASCII.GetBytes(header));
    return string.Join('.', header, "", B64(iv), B64(ciphertext), B64(tag));
}
