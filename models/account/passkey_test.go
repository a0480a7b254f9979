package account_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAPasskeyIsAddedUsedAndRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	id := []byte{0, 1, 255}
	require.NoError(t, b.Store.AddPasskey(b.Ctx, u, models.Passkey{ID: id, Name: " phone ", Credential: []byte(`{"count": 1}`)}))
	b.Now = b.Now.Add(time.Minute)
	require.NoError(t, b.Store.UsedPasskey(b.Ctx, id, []byte(`{"count": 2}`)))

	all, err := b.Store.Passkeys(b.Ctx, u.ID)
	require.NoError(t, err)
	require.Equal(t, []models.Passkey{{
		ID: id, UserID: u.ID, Name: "phone", Credential: []byte(`{"count": 2}`), CreatedAt: b.Now.Add(-time.Minute), LastUsed: &b.Now,
	}}, all)
	owner, err := b.Store.PasskeyOwner(b.Ctx, u.ID)
	require.NoError(t, err)
	require.Equal(t, u, owner)

	bob := b.user(t, "bob@example.org", models.Member)
	requireCode(t, models.CodeNotFound, b.Store.RemovePasskey(b.Ctx, bob, id))
	require.NoError(t, b.Store.RemovePasskey(b.Ctx, u, id))
	requireCode(t, models.CodeNotFound, b.Store.RemovePasskey(b.Ctx, u, id))
	trail := b.trail(t)
	require.Contains(t, trail, "ann@example.org: passkey added phone")
	require.Contains(t, trail, "ann@example.org: passkey removed phone")
}

func TestAPasskeyIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	k := models.Passkey{ID: []byte("known"), Name: "phone", Credential: []byte(`{}`)}
	require.NoError(t, b.Store.AddPasskey(b.Ctx, u, k))
	requireCode(t, models.CodeConflict, b.Store.AddPasskey(b.Ctx, u, k))
	requireCode(t, models.CodeInvalidParameter, b.Store.AddPasskey(b.Ctx, u, models.Passkey{ID: []byte("nameless"), Credential: []byte(`{}`)}))

	stale := *u
	require.NoError(t, b.Store.SetPassword(b.Ctx, u, "new hash"))
	requireCode(t, models.CodeUnauthorized, b.Store.AddPasskey(b.Ctx, &stale, models.Passkey{ID: []byte("late"), Name: "phone", Credential: []byte(`{}`)}))
	for _, id := range []string{"user_none", "a\x00b"} {
		_, err := b.Store.PasskeyOwner(b.Ctx, id)
		requireCode(t, models.CodeNotFound, err)
	}
}

func TestAUserHasAtMostTwentyPasskeysAlsoWhenTheyAreAddedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	var (
		all     sync.WaitGroup
		mu      sync.Mutex
		refused int
	)
	for i := range 22 {
		all.Go(func() {
			err := b.Store.AddPasskey(b.Ctx, u, models.Passkey{ID: fmt.Append(nil, "key", i), Name: "phone", Credential: []byte(`{}`)})
			mu.Lock()
			defer mu.Unlock()
			if models.CodeOf(err) == models.CodeConflict && err != nil {
				refused++
			}
		})
	}
	all.Wait()
	got, err := b.Store.Passkeys(b.Ctx, u.ID)
	require.NoError(t, err)
	require.Len(t, got, 20)
	require.Equal(t, 2, refused)
}

func TestAChallengeIsTakenOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.user(t, "ann@example.org", models.Owner)
	open := models.PasskeyChallenge{Challenge: "sign this", UserID: &u.ID, Session: []byte(`{"a": 1}`), ExpiresAt: b.Now.Add(time.Minute)}
	require.NoError(t, b.Store.OpenChallenge(b.Ctx, open))
	require.NoError(t, b.Store.OpenChallenge(b.Ctx, models.PasskeyChallenge{Challenge: "late", Session: []byte(`{}`), ExpiresAt: b.Now.Add(time.Second)}))
	got, err := b.Store.TakeChallenge(b.Ctx, "sign this")
	require.NoError(t, err)
	require.Equal(t, &open, got)
	b.Now = b.Now.Add(time.Second)
	for _, challenge := range []string{"sign this", "late", "unknown", "a\x00b"} {
		_, err := b.Store.TakeChallenge(b.Ctx, challenge)
		requireCode(t, models.CodeNotFound, err)
	}
}
