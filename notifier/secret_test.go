package notifier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/aead"
)

func TestSecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	s := NewSecret()
	inside := struct {
		Open   Secret
		hidden Secret
		Keys   Keyring
	}{s, s, Keyring{Current: s, Next: s}}
	var logged bytes.Buffer
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "secret", s, "keys", inside)
	encoded, err := json.Marshal(inside)
	require.NoError(t, err)
	var printed strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%p", "%T"} {
		fmt.Fprintf(&printed, verb+verb+verb, s, &s, inside)
	}
	out := logged.String() + string(encoded) + s.String() + printed.String()
	require.NotContains(t, out, s.Reveal()[len(secretMark):])
	require.NotContains(t, out, fmt.Sprintf("%x", s.Reveal()))
	require.Contains(t, out, redacted)
	require.NotEmpty(t, inside.hidden.Reveal())
}

func TestSecretText(t *testing.T) {
	t.Parallel()
	s := NewSecret()
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, s.Reveal())
	require.Len(t, s.key(), 32)
	require.NotEqual(t, s.Reveal(), NewSecret().Reveal())
	again, err := ParseSecret(s.Reveal())
	require.NoError(t, err)
	require.Equal(t, s.Reveal(), again.Reveal())
	for name, text := range map[string]string{
		"nothing":                    "",
		"no mark":                    s.Reveal()[len(secretMark):],
		"another mark":               "rc_live_" + s.Reveal(),
		"too short a key":            "whsec_c2hvcnQ=",
		"too long a key":             "whsec_" + strings.Repeat("AAAA", 22),
		"no base64":                  "whsec_" + strings.Repeat("!", 44),
		"a blank at the end":         s.Reveal() + " ",
		"a line break inside":        s.Reveal()[:20] + "\n" + s.Reveal()[20:],
		"bits beyond the last byte":  "whsec_" + strings.Repeat("A", 42) + "B=",
		"the alphabet of addresses":  "whsec_" + strings.Repeat("-_", 21) + "8=",
		"padding that does not pad?": "whsec_" + strings.Repeat("A", 43),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseSecret(text)
			require.ErrorIs(t, err, errSecret)
			require.Equal(t, errSecret.Error(), err.Error(), "the text is not repeated")
		})
	}
}

func TestSealedSecretOpensForItsAccountOnly(t *testing.T) {
	t.Parallel()
	service := bytes.Repeat([]byte{7}, 32)
	sealer, err := NewSealer(service)
	require.NoError(t, err)
	s := NewSecret()
	sealed := sealer.Seal(s, "acc_1")
	require.NotContains(t, string(sealed), s.Reveal())
	require.NotEqual(t, sealed, sealer.Seal(s, "acc_1"), "each sealing has a nonce of its own")

	replica, err := NewSealer(bytes.Clone(service))
	require.NoError(t, err)
	opened, err := replica.Open(sealed, "acc_1")
	require.NoError(t, err)
	require.Equal(t, s.Reveal(), opened.Reveal())

	_, err = sealer.Open(sealed, "acc_2")
	require.ErrorIs(t, err, errSealed, "a row copied to another account")
	stranger, err := NewSealer(bytes.Repeat([]byte{8}, 32))
	require.NoError(t, err)
	_, err = stranger.Open(sealed, "acc_1")
	require.ErrorIs(t, err, errSealed, "another service secret")
	for i := range sealed {
		damaged := bytes.Clone(sealed)
		damaged[i] ^= 1
		_, err := sealer.Open(damaged, "acc_1")
		require.Error(t, err, "byte %d changed", i)
		_, err = sealer.Open(sealed[:i], "acc_1")
		require.Error(t, err, "cut to %d bytes", i)
	}
	_, err = sealer.Open(append([]byte{2}, sealed[1:]...), "acc_1")
	require.ErrorContains(t, err, "version 2 is not known")
	_, err = NewSealer(service[:31])
	require.ErrorContains(t, err, "31 bytes")
}

// What was sealed by an earlier release opens in this one.
func TestSealedSecretOfVersion1Opens(t *testing.T) {
	t.Parallel()
	sealer, err := NewSealer(bytes.Repeat([]byte{7}, 32))
	require.NoError(t, err)
	kept, err := os.ReadFile("testdata/sealed-v1.golden") // no release can make it anew
	require.NoError(t, err)
	opened, err := sealer.Open(kept, "acc_1")
	require.NoError(t, err)
	require.Equal(t, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", opened.Reveal())
	_, err = sealer.Open(kept, "acc_2")
	require.ErrorIs(t, err, errSealed)

	t.Log("renewed under another key it needs the old one no more")
	newer := bytes.Repeat([]byte{9}, 32)
	both, err := NewSealer(newer, bytes.Repeat([]byte{7}, 32))
	require.NoError(t, err)
	renewed, err := both.Renew(kept, "acc_1")
	require.NoError(t, err)
	alone, err := NewSealer(newer)
	require.NoError(t, err)
	opened, err = alone.Open(renewed, "acc_1")
	require.NoError(t, err)
	require.Equal(t, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", opened.Reveal())
	_, err = alone.Open(kept, "acc_1")
	require.ErrorIs(t, err, errSealed)
	_, err = sealer.Open(renewed, "acc_1")
	var missing *aead.MissingKeyError
	require.ErrorAs(t, err, &missing, "the key that is missing is named")
}
