package auth_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// signInRequest returns the request of a sign-in with those cookies.
func signInRequest(t *testing.T, cookies ...*http.Cookie) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sign-in", http.NoBody)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return r
}

// remembered returns the cookie of a browser in which the person of that address signed in.
func remembered(t *testing.T, d *auth.Devices, email string) *http.Cookie {
	t.Helper()
	w := httptest.NewRecorder()
	d.Remember(w, email)
	cookies := w.Result().Cookies()
	require.Len(t, cookies, 1)
	return cookies[0]
}

// Whoever knows an address can use up the tries of strangers at it, and not those of the browser that its person uses, nor
// those of a person who is signed in.
func TestNobodyLocksAPersonOutOfTheirOwnBrowser(t *testing.T) {
	t.Parallel()
	const email = "ada@example.org"
	cheap := &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	b := setup(t)
	s := b.sessionsOf(email, cheap)
	var err error
	s.Passwords, err = auth.NewPasswords(cheap)
	require.NoError(t, err)
	s.Devices, err = auth.NewDevices([]byte("a secret of this test"), false)
	require.NoError(t, err)
	try := func(r *http.Request, network int, password string) models.Code {
		_, err := s.SignIn(r, netip.MustParseAddr(fmt.Sprintf("198.51.100.%d", network)), email, password)
		if err == nil {
			return ""
		}
		return models.CodeOf(err)
	}
	for i := range 300 {
		require.Equal(t, models.CodeUnauthorized, try(signInRequest(t), i/10, "wrong"), "strangers have many tries")
	}
	require.Equal(t, models.CodeRateLimited, try(signInRequest(t), 99, rightPassword), "and not any number")

	own := remembered(t, s.Devices, "Ada@example.org ")
	require.Empty(t, try(signInRequest(t, own), 99, rightPassword), "the person's own browser signs in")
	other, err := auth.NewDevices([]byte("another secret"), false)
	require.NoError(t, err)
	s.Devices, err = auth.NewDevices([]byte("a newer secret"), false, []byte("a secret of this test"))
	require.NoError(t, err)
	require.Empty(t, try(signInRequest(t, own), 99, rightPassword), "also when the service has another secret since")
	s.Devices, err = auth.NewDevices([]byte("a secret of this test"), false)
	require.NoError(t, err)
	for name, c := range map[string]*http.Cookie{
		"of another person":  remembered(t, s.Devices, "bob@example.org"),
		"of another service": remembered(t, other, email),
		"without a number":   {Name: own.Name, Value: "."},
		"cut":                {Name: own.Name, Value: own.Value[:len(own.Value)-1]},
	} {
		require.Equal(t, models.CodeRateLimited, try(signInRequest(t, c), 99, rightPassword), name)
	}
	for range 8 {
		require.Equal(t, models.CodeUnauthorized, try(signInRequest(t, own), 99, "wrong"))
	}
	require.Equal(t, models.CodeRateLimited, try(signInRequest(t, own), 99, rightPassword), "a stolen cookie has ten tries")

	u, err := b.store.UserByEmail(t.Context(), email)
	require.NoError(t, err)
	require.NoError(t, s.Confirm(t.Context(), u, rightPassword), "who is signed in confirms")
	for range 9 {
		require.Equal(t, models.CodeInvalidParameter, models.CodeOf(s.Confirm(t.Context(), u, "wrong")))
	}
	require.Equal(t, models.CodeRateLimited, models.CodeOf(s.Confirm(t.Context(), u, rightPassword)))
}

func TestTheCookieOfADeviceNamesNobody(t *testing.T) {
	t.Parallel()
	for secure, name := range map[bool]string{true: "__Host-rollcall-device", false: "rollcall_device"} {
		d, err := auth.NewDevices([]byte("a secret of this test"), secure)
		require.NoError(t, err)
		c := remembered(t, d, "ada@example.org")
		require.Equal(t, name, c.Name)
		require.NotContains(t, c.Value, "ada")
		require.True(t, c.HttpOnly)
		require.Equal(t, secure, c.Secure)
		require.Equal(t, http.SameSiteStrictMode, c.SameSite)
		require.NotEqual(t, c.Value, remembered(t, d, "ada@example.org").Value)
	}
}
