import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.security.SecureRandom;
import java.util.*;
import java.util.concurrent.Executors;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

public class CatalogToken {
  static String userOf(HttpExchange exchange) { return "user-1"; }

  static final HttpClient client = HttpClient.newHttpClient();

  static String setting(String name) {
    String value = System.getenv(name);
    if (value == null || value.isEmpty()) throw new IllegalStateException("not set: " + name);
    return value;
  }

  static String b64(byte[] bytes) { return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes); }

  /** A string in JSON. */
  static String json(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) out.append(c < 32 || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : c);
    return out.append('"').toString();
  }

  static String partnerToken(String user) throws Exception {
    String header = b64(("{\"alg\":\"dir\",\"enc\":\"A256GCM\",\"kid\":" + json(setting("KID")) + "}").getBytes("UTF-8"));
    long now = System.currentTimeMillis() / 1000;
    String claims = "{\"iss\":" + json(setting("ISSUER")) + ",\"aud\":" + json(setting("AUDIENCE")) + ",\"sub\":" + json(user)
        + ",\"iat\":" + now + ",\"exp\":" + (now + 300) + ",\"jti\":\"" + UUID.randomUUID() + "\"}";
    byte[] iv = new byte[12];
    new SecureRandom().nextBytes(iv);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    byte[] key = Base64.getUrlDecoder().decode(setting("SECRET"));
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, iv));
    cipher.updateAAD(header.getBytes("US-ASCII"));
    byte[] sealed = cipher.doFinal(claims.getBytes("UTF-8"));
    int end = sealed.length - 16;
    return String.join(".", header, "", b64(iv), b64(Arrays.copyOf(sealed, end)), b64(Arrays.copyOfRange(sealed, end, sealed.length)));
  }

  static byte[] catalogToken(String user) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(setting("SERVICE") + "/api/v1/auth/session"))
        .header("x-auth-token", partnerToken(user)).header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("{\"scope\":\"search\"}")).build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200)
      throw new IOException(answer.statusCode() + " " + answer.body() + " " + answer.headers().firstValue("X-Request-Id").orElse(""));
    return answer.body().getBytes("UTF-8");
  }

  static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  static void answerToken(HttpExchange exchange) throws IOException {
    String user = userOf(exchange);
    if (!exchange.getRequestMethod().equals("POST") || user == null) {
      answer(exchange, 401, "text/plain", new byte[0]);
      return;
    }
    try {
      answer(exchange, 200, "application/json", catalogToken(user));
    } catch (Exception error) {
      System.err.println("catalog-token: " + error.getMessage());
      answer(exchange, 502, "text/plain", new byte[0]);
    }
  }

  public static void main(String[] args) throws IOException {
    for (String name : List.of("SERVICE", "KID", "SECRET", "ISSUER", "AUDIENCE")) setting(name);
    HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(setting("PORT"))), 0);
    server.createContext("/catalog-token", CatalogToken::answerToken);
    server.createContext("/", exchange -> answer(exchange, 200, "text/html", Files.readAllBytes(Path.of("index.html"))));
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }
}
