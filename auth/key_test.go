package auth_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

func TestKeyHasTheDecidedShape(t *testing.T) {
	t.Parallel()
	shape := regexp.MustCompile(`^rc_live_[0-9A-Za-z]{38}$`)
	seen := map[string]bool{}
	for range 1000 {
		key := auth.NewKey()
		require.Regexp(t, shape, key.Reveal())
		require.Equal(t, key.Reveal()[:12], key.Prefix())
		again, ok := auth.ParseKey(key.Reveal())
		require.True(t, ok)
		require.Equal(t, key.SHA256(), again.SHA256())
		seen[key.Reveal()] = true
	}
	require.Len(t, seen, 1000)
}

func TestChecksumIsPinned(t *testing.T) {
	t.Parallel()
	// Keys that are in use must stay valid: the CRC-32 of the first forty characters is 0x3ebf93b4.
	_, ok := auth.ParseKey("rc_live_" + strings.Repeat("0", 32) + "19FCR2")
	require.True(t, ok)
}

func TestMalformedKeysAreRefused(t *testing.T) {
	t.Parallel()
	good := auth.NewKey().Reveal()
	other := byte('0')
	if good[20] == other {
		other = '1'
	}
	for name, text := range map[string]string{
		"nothing":                   "",
		"another service's mark":    "sk_live_" + good[8:],
		"one character short":       good[:len(good)-1],
		"one character more":        good + "0",
		"one character differs":     good[:20] + string(other) + good[21:],
		"a character not in base62": good[:20] + "-" + good[21:],
		"a NUL byte":                good[:20] + "\x00" + good[21:],
		"invalid UTF-8":             good[:20] + "\xff" + good[21:],
		"letter case is lost":       strings.ToUpper(good),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, ok := auth.ParseKey(text)
			require.False(t, ok)
		})
	}
}

func TestKeyIsNeverPrinted(t *testing.T) {
	t.Parallel()
	key := auth.NewKey()
	holder := struct {
		Key  auth.Key
		Keys []auth.Key
		key  auth.Key
		keys map[string]auth.Key
	}{key, []auth.Key{key}, key, map[string]auth.Key{"one": key}}

	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%10.3s"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", key, &key, holder)
	}
	out.WriteString(key.String())
	for _, log := range []*slog.Logger{slog.New(slog.NewTextHandler(&out, nil)), slog.New(slog.NewJSONHandler(&out, nil))} {
		log.Info("a key", "key", key, "pointer", &key, "holder", holder)
	}
	require.NoError(t, json.NewEncoder(&out).Encode(holder))

	require.NotContains(t, out.String(), key.Reveal())
	require.NotContains(t, out.String(), key.Reveal()[8:20])
	require.NotContains(t, strings.ToLower(out.String()), fmt.Sprintf("%x", key.Reveal()[8:20]))
	require.Contains(t, out.String(), `"Key":"[redacted]"`)
}

func TestWhatIsStoredIsTheSHA256OfTheText(t *testing.T) {
	t.Parallel()
	key := auth.NewKey()
	require.Equal(t, sha256.Sum256([]byte(key.Reveal())), key.SHA256())
}

func FuzzParseKey(f *testing.F) {
	f.Add(auth.NewKey().Reveal())
	f.Add("rc_live_")
	f.Fuzz(func(t *testing.T, s string) {
		key, ok := auth.ParseKey(s)
		if ok {
			require.Equal(t, s, key.Reveal())
		}
	})
}
