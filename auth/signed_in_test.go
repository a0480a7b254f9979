package auth_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// A service that is reached by https binds its cookie to its own host, and takes no other: not one that a neighbour below the same domain,
// or somebody on the way of a plain request, could have set.
func TestTheCookieOfASecureServiceIsOfItsHostAlone(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/sign-out", http.NoBody)
	for secure, name := range map[bool]string{true: "__Host-rollcall", false: "rollcall_session"} {
		s := &auth.Sessions{Secure: secure}
		c, err := s.End(r)
		require.NoError(t, err)
		require.Equal(t, name, c.Name)
		require.Equal(t, secure, c.Secure)
		require.True(t, c.HttpOnly)
		require.Equal(t, "/", c.Path)
		require.Empty(t, c.Domain)
		require.Equal(t, http.SameSiteLaxMode, c.SameSite)
	}
	plain := httptest.NewRequest(http.MethodGet, "/search", http.NoBody)
	plain.AddCookie(&http.Cookie{Name: "rollcall_session", Value: auth.NewToken()})
	require.False(t, (&auth.Sessions{Secure: true}).Signed(plain))
	require.True(t, (&auth.Sessions{}).Signed(plain))
}

// The browser that was let in by the old password has not got its session yet when the new one is set.
func TestAPasswordThatIsChangedMeanwhileLetsNobodyIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.sessionsOf("ada@example.org", nil)
	checked, err := b.store.UserByEmail(t.Context(), "ada@example.org")
	require.NoError(t, err)
	owner := *checked
	hash, err := s.Passwords.Hash(t.Context(), "window kettle green horse", owner.Email)
	require.NoError(t, err)
	require.NoError(t, b.store.SetPassword(t.Context(), &owner, hash))

	_, err = s.Begin(t.Context(), checked, "test")
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(err))
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(b.store.AddPasskey(t.Context(), checked, models.Passkey{ID: []byte("late"), Name: "late", Credential: []byte(`{}`)})))
	sessions, err := b.store.Sessions(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Empty(t, sessions)
	_, err = s.Begin(t.Context(), &owner, "test")
	require.NoError(t, err, "who set it goes on")
}
