package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

func partnerToken(kid, secret, issuer, audience, user string) (string, error) {
	b64 := base64.RawURLEncoding.EncodeToString
	key, err := base64.RawURLEncoding.DecodeString(secret)
	if err != nil {
		return "", err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	iv, id := make([]byte, 12), make([]byte, 16)
	for _, random := range [][]byte{iv, id} {
		if _, err := rand.Read(random); err != nil {
			return "", err
		}
	}
	now := time.Now().Unix()
	header, _ := json.Marshal(map[string]any{"alg": "dir", "enc": "A256GCM", "kid": kid})
	claims, _ := json.Marshal(map[string]any{
		"iss": issuer, "aud": audience, "sub": user, "iat": now, "exp": now + 300, "jti": b64(id),
	})
	sealed := gcm.Seal(nil, iv, claims, []byte(b64(header)))
	end := len(sealed) - gcm.Overhead()
	return strings.Join([]string{b64(header), "", b64(iv), b64(sealed[:end]), b64(sealed[end:])}, "."), nil
}
