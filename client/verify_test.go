package client

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The vectors are those of docs/webhooks.md, which receivers in other languages are checked with too.
func TestTheVectorsOfTheGuide(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/vectors.json")
	require.NoError(t, err)
	var vectors struct {
		Cases []struct {
			Name, Secret, Body string
			Now                int64
			Headers            map[string]string
			Service, Standard  bool
		}
	}
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.NotEmpty(t, vectors.Cases)
	for _, c := range vectors.Cases {
		h := http.Header{}
		for name, value := range c.Headers {
			h.Set(name, value)
		}
		v := &Verifier{Secrets: []string{c.Secret}, Now: func() time.Time { return time.Unix(c.Now, 0) }}
		require.Equal(t, c.Service, v.VerifyService(h, []byte(c.Body)) == nil, "%s: service", c.Name)
		require.Equal(t, c.Standard, v.standard(h, []byte(c.Body)) == nil, "%s: standard", c.Name)
		both := &Verifier{Secrets: []string{"whsec_c29tZXRoaW5nIGVsc2U=", c.Secret}, Now: v.Now}
		require.Equal(t, c.Standard, both.standard(h, []byte(c.Body)) == nil, "%s: with two secrets", c.Name)
		require.Equal(t, c.Service, both.VerifyService(h, []byte(c.Body)) == nil, "%s: with two secrets", c.Name)
	}
	require.ErrorIs(t, (&Verifier{}).VerifyService(http.Header{"X-Service-Signature": {strings.Repeat("0", 64)}}, nil), ErrSignature, "without a secret nothing is genuine")
}

func TestTheHandlerRefusesWhatIsNotGenuine(t *testing.T) {
	t.Parallel()
	h := (&Verifier{Secrets: []string{"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}}).Handler(nil)
	for name, c := range map[string]struct {
		method, body string
		status       int
	}{
		"another method": {http.MethodGet, "", http.StatusMethodNotAllowed},
		"no signature":   {http.MethodPost, "{}", http.StatusUnauthorized},
		"a flood":        {http.MethodPost, strings.Repeat("x", maxDelivery+1), http.StatusBadRequest},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, "/", strings.NewReader(c.body)))
		require.Equal(t, c.status, w.Code, name)
	}
}
