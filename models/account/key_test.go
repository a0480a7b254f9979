package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// key makes a key of the account.
func (b *bundle) key(t *testing.T, secret, label string) *models.APIKey {
	t.Helper()
	k := &models.APIKey{AccountID: b.account.ID, Label: label, Prefix: "rc_12345", SHA256: sha(secret)}
	require.NoError(t, b.Store.CreateKey(b.Ctx, k))
	return k
}

func TestAKeyIsFoundByItsHash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.key(t, "one", " scanner ")
	require.Equal(t, "scanner", made.Label)

	k, a, err := b.Store.KeyByHash(b.Ctx, sha("one"))
	require.NoError(t, err)
	require.Equal(t, made, k)
	require.Equal(t, b.account, a)
	byID, err := b.Store.Key(b.Ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, made, byID)

	_, _, err = b.Store.KeyByHash(b.Ctx, sha("another"))
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.Key(b.Ctx, "key_none")
	require.ErrorIs(t, err, models.ErrNoKey)
	err = b.Store.CreateKey(b.Ctx, &models.APIKey{AccountID: "acct_none", SHA256: sha("two")})
	require.ErrorIs(t, err, models.ErrNoAccount)
}

func TestKeysAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.key(t, "one", "")
	b.Now = b.Now.Add(time.Minute)
	second := b.key(t, "two", "")
	other := b.open(t, "other@example.org")
	require.NoError(t, b.Store.CreateKey(b.Ctx, &models.APIKey{AccountID: other.ID, SHA256: sha("three")}))

	mine, err := b.Store.Keys(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Equal(t, []*models.APIKey{second, first}, mine)
	all, err := b.Store.Keys(b.Ctx, "")
	require.NoError(t, err)
	require.Len(t, all, 3)
}

func TestAKeyKeepsItsEarliestEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k := b.key(t, "one", "")
	soon, late := b.Now.Add(time.Hour), b.Now.Add(2*time.Hour)
	for _, at := range []time.Time{late, soon, late} {
		require.NoError(t, b.Store.RevokeKey(b.Ctx, k.ID, at))
	}
	got, err := b.Store.Key(b.Ctx, k.ID)
	require.NoError(t, err)
	require.Equal(t, &soon, got.RevokedAt)
	require.ErrorIs(t, b.Store.RevokeKey(b.Ctx, "key_none", soon), models.ErrNoKey)
}

func TestAKeyIsReplacedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k := b.key(t, "one", "")
	soon := b.Now.Add(time.Hour)
	require.NoError(t, b.Store.EndKeyOnce(b.Ctx, k.ID, soon))
	requireCode(t, models.CodeConflict, b.Store.EndKeyOnce(b.Ctx, k.ID, b.Now))
	got, err := b.Store.Key(b.Ctx, k.ID)
	require.NoError(t, err)
	require.Equal(t, &soon, got.RevokedAt)
}

func TestUsesOfKeysAreNotedTheLatestStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.key(t, "one", ""), b.key(t, "two", "")
	late := b.Now.Add(time.Hour)
	require.NoError(t, b.Store.TouchKeys(b.Ctx, map[string]time.Time{one.ID: late}))
	require.NoError(t, b.Store.TouchKeys(b.Ctx, map[string]time.Time{one.ID: b.Now, two.ID: b.Now, "key_none": b.Now}))
	for id, want := range map[string]time.Time{one.ID: late, two.ID: b.Now} {
		got, err := b.Store.Key(b.Ctx, id)
		require.NoError(t, err)
		require.Equal(t, &want, got.LastUsed)
	}
}

func TestKeysOfOneMakerEndTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of := func(account, secret, maker string) *models.APIKey {
		t.Helper()
		k := &models.APIKey{AccountID: account, Label: secret, Prefix: "rc_12345", SHA256: sha(secret), CreatedBy: maker}
		require.NoError(t, b.Store.CreateKey(b.Ctx, k))
		return k
	}
	mine := b.account.ID
	first, second := of(mine, "one", "Ann@example.org"), of(mine, "two", "ann@example.org")
	ended := of(mine, "three", "ann@example.org")
	require.NoError(t, b.Store.RevokeKey(b.Ctx, ended.ID, b.Now.Add(-time.Minute)))
	late := of(mine, "four", "ann@example.org")
	require.NoError(t, b.Store.RevokeKey(b.Ctx, late.ID, b.Now.Add(time.Hour)))
	of(mine, "five", "bob@example.org")
	of(b.open(t, "other@example.org").ID, "six", "ann@example.org")
	require.Equal(t, models.CommandLine, b.key(t, "seven", "").CreatedBy)

	all, err := b.Store.RevokeKeysOf(b.Ctx, mine, "ANN@example.org", b.Now)
	require.NoError(t, err)
	var ids []string
	for _, k := range all {
		ids = append(ids, k.ID)
		require.Equal(t, &b.Now, k.RevokedAt)
	}
	require.ElementsMatch(t, []string{first.ID, second.ID, late.ID}, ids)
	all, err = b.Store.RevokeKeysOf(b.Ctx, mine, "ann@example.org", b.Now)
	require.NoError(t, err)
	require.Empty(t, all)
}
