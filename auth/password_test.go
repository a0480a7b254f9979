package auth_test

import (
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

const (
	rightPassword = "river lamp orange desk"
	newHash       = `^\$argon2id\$v=19\$m=65536,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$` // 16 bytes of salt, 32 of key
)

// sessionsOf are sessions on the bundle's database, with a member whose password's hash is made under those parameters.
func (b *bundle) sessionsOf(email string, params *argon2id.Params) *auth.Sessions {
	b.t.Helper()
	was, err := auth.NewPasswords(params)
	require.NoError(b.t, err)
	hash, err := was.Hash(b.t.Context(), rightPassword, email)
	require.NoError(b.t, err)
	l := &models.SignInLink{
		SHA256: auth.HashToken(auth.NewToken()), Kind: models.Invitation, AccountID: b.account.ID, Email: email, Role: models.Member,
		CreatedBy: "test", ExpiresAt: b.clock.now().Add(time.Hour),
	}
	require.NoError(b.t, b.store.CreateSignInLink(b.t.Context(), l))
	_, err = b.store.AcceptInvitation(b.t.Context(), l.SHA256, hash)
	require.NoError(b.t, err)
	today, err := auth.NewPasswords(nil)
	require.NoError(b.t, err)
	return &auth.Sessions{Store: b.store, Passwords: today, Limiter: auth.NewLocalLimiter(b.clock.now), Now: b.clock.now}
}

// stored is the hash of a member's password.
func (b *bundle) stored(email string) string {
	b.t.Helper()
	u, err := b.store.UserByEmail(b.t.Context(), email)
	require.NoError(b.t, err)
	return u.Password
}

var nearby = netip.MustParseAddr("192.0.2.7")

func TestAStoredPasswordIsArgon2idOf64Megabytes(t *testing.T) {
	t.Parallel()
	p, err := auth.NewPasswords(nil)
	require.NoError(t, err)
	one, err := p.Hash(t.Context(), rightPassword, "ada@example.org")
	require.NoError(t, err)
	other, err := p.Hash(t.Context(), rightPassword, "ada@example.org")
	require.NoError(t, err)
	require.Regexp(t, newHash, one)
	require.NotEqual(t, one, other, "each has a salt of its own")
	require.NotContains(t, one, rightPassword)
}

func TestAHashOfEarlierParametersStillOpensAndIsMadeStronger(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.sessionsOf("ada@example.org", &argon2id.Params{Memory: 1 << 10, Iterations: 1, Parallelism: 2, SaltLength: 8, KeyLength: 16})
	weak := b.stored("ada@example.org")
	require.Contains(t, weak, "$m=1024,t=1,p=2$")
	_, err := s.SignIn(signInRequest(t), nearby, "ada@example.org", "not the password")
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(err))
	require.Equal(t, weak, b.stored("ada@example.org"), "a wrong password is never stored")

	_, err = s.SignIn(signInRequest(t), nearby, "ada@example.org", rightPassword)
	require.NoError(t, err)
	strong := b.stored("ada@example.org")
	require.Regexp(t, newHash, strong)
	_, err = s.SignIn(signInRequest(t), nearby, "ada@example.org", rightPassword)
	require.NoError(t, err)
	require.Equal(t, strong, b.stored("ada@example.org"), "once is enough")
	u, err := b.store.UserByEmail(t.Context(), "ada@example.org")
	require.NoError(t, err)
	sessions, err := b.store.Sessions(t.Context(), u.ID)
	require.NoError(t, err)
	require.Len(t, sessions, 2, "nobody is signed out by it")

	t.Log("what is stronger than today's stays")
	b.sessionsOf("bob@example.org", &argon2id.Params{Memory: 65 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	_, err = s.SignIn(signInRequest(t), nearby, "bob@example.org", rightPassword)
	require.NoError(t, err)
	require.Contains(t, b.stored("bob@example.org"), "$m=66560,t=2,p=1$")
}

// It runs by itself: what is allocated meanwhile is the hash's.
func TestAGuessAtNobodyCostsAndTellsWhatAGuessAtSomebodyDoes(t *testing.T) {
	b := setup(t)
	s := b.sessionsOf("ada@example.org", nil)
	guess := func(email string) (bytes uint64, answer error) {
		t.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, answer = s.SignIn(signInRequest(t), nearby, email, "not the password")
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, answer
	}
	somebody, wrong := guess("ada@example.org")
	nobody, unknown := guess("bob@example.org")
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(wrong))
	require.Equal(t, wrong, unknown, "the same words")
	for _, n := range []uint64{somebody, nobody} {
		require.GreaterOrEqual(t, n, uint64(64<<20), "one whole hash each")
		require.Less(t, n, uint64(120<<20))
	}
}
