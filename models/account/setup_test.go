package account_test

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/account"
	"rollcall/models/internal/modelstest"
)

// bundle is a store with an account.
type bundle struct {
	*modelstest.Bundle
	account *models.Account
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{Bundle: modelstest.Setup(t)}
	b.account = b.open(t, "desk@example.org")
	return b
}

// open makes another Enterprise account.
func (b *bundle) open(t *testing.T, email string) *models.Account {
	t.Helper()
	a := &models.Account{Name: "Desk", Email: email, Plan: models.Enterprise, RateLimit: models.DefaultRateLimit}
	require.NoError(t, b.Store.CreateAccount(b.Ctx, a))
	return a
}

// user makes a user of the account by an invitation.
func (b *bundle) user(t *testing.T, email string, role models.Role) *models.User {
	t.Helper()
	b.link(t, models.SignInLink{Kind: models.Invitation, Email: email, Role: role})
	u, err := b.Store.AcceptInvitation(b.Ctx, sha("invitation of "+email), "hash of "+email)
	require.NoError(t, err)
	return u
}

// link makes a link of the account that works for a day; its secret is "<kind> of <email>".
func (b *bundle) link(t *testing.T, l models.SignInLink) {
	t.Helper()
	l.SHA256, l.AccountID, l.ExpiresAt = sha(string(l.Kind)+" of "+l.Email), b.account.ID, b.Now.Add(24*time.Hour)
	if l.Role == "" {
		l.Role = models.Member
	}
	if l.CreatedBy == "" {
		l.CreatedBy = "boss@example.org"
	}
	require.NoError(t, b.Store.CreateSignInLink(b.Ctx, &l))
}

// signIn makes a session of a user for a day.
func (b *bundle) signIn(t *testing.T, u *models.User, secret string) {
	t.Helper()
	require.NoError(t, b.Store.CreateSession(b.Ctx, u, models.Session{SHA256: sha(secret), ExpiresAt: b.Now.Add(24 * time.Hour), Agent: "browser"}))
}

// signedIn reports whether a session still opens the account.
func (b *bundle) signedIn(t *testing.T, secret string) bool {
	t.Helper()
	_, _, _, err := b.Store.SessionByHash(b.Ctx, sha(secret))
	if err != nil {
		requireCode(t, models.CodeNotFound, err)
	}
	return err == nil
}

// trail are the account's entries, oldest first, as "actor: action subject".
func (b *bundle) trail(t *testing.T) []string {
	t.Helper()
	events, err := b.Store.AccountEvents(b.Ctx, b.account.ID, 0, 100)
	require.NoError(t, err)
	lines := make([]string, 0, len(events))
	for _, e := range slices.Backward(events) {
		lines = append(lines, e.Actor+": "+e.Action+" "+e.Subject)
	}
	return lines
}

func sha(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

func requireCode(t *testing.T, want models.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, models.CodeOf(err), err)
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, account.Statements())
}

// begin opens a transaction in which a test holds locks.
func begin(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(t.Context()) })
	return tx
}

// waiting waits until n statements of the database wait for a lock.
func waiting(t *testing.T, pool *pgxpool.Pool, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		var got int
		require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).Scan(&got))
		return got >= n
	}, 10*time.Second, 5*time.Millisecond)
}
