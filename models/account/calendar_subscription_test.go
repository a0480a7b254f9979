package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// theCase stores a case and reads it as the API would.
func (b *bundle) theCase(t *testing.T, number string) *models.CourtCase {
	t.Helper()
	(&testdb.DB{Pool: b.Pool}).Add(t, testdb.Case{Number: number, Defendant: "DOE, JANE"})
	var key int64
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select id from court_cases where case_number = $1`, number).Scan(&key))
	found, err := b.Store.CourtCasesByKeys(b.Ctx, []int64{key})
	require.NoError(t, err)
	return found[key]
}

func TestACalendarIsOpenedByItsToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.theCase(t, "26-CR-1")
	f, err := b.Store.CreateCalendarSubscription(b.Ctx, b.account.ID, c, " hearings ", sha("token"))
	require.NoError(t, err)
	require.Equal(t, &models.CalendarSubscription{
		ID: f.ID, AccountID: b.account.ID, CaseID: c.ID(), CaseNumber: "26-CR-1", County: c.County, Label: "hearings", CreatedAt: b.Now,
	}, f)
	all, err := b.Store.CalendarSubscriptions(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Equal(t, []*models.CalendarSubscription{f}, all)
	got, a, err := b.Store.CaseOfSubscription(b.Ctx, sha("token"))
	require.NoError(t, err)
	require.Equal(t, c.Key, got.Key)
	require.Equal(t, b.account, a)

	_, _, err = b.Store.CaseOfSubscription(b.Ctx, sha("another"))
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.CreateCalendarSubscription(b.Ctx, "acct_none", c, "", sha("other token"))
	require.ErrorIs(t, err, models.ErrNoAccountOrCase)
}

func TestARevokedCalendarStaysRevoked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, err := b.Store.CreateCalendarSubscription(b.Ctx, b.account.ID, b.theCase(t, "26-CR-1"), "", sha("token"))
	require.NoError(t, err)
	other := b.open(t, "other@example.org")
	requireCode(t, models.CodeNotFound, b.Store.RevokeCalendarSubscription(b.Ctx, other.ID, f.ID))
	revoked := b.Now
	require.NoError(t, b.Store.RevokeCalendarSubscription(b.Ctx, b.account.ID, f.ID))
	b.Now = b.Now.Add(time.Hour)
	require.NoError(t, b.Store.RevokeCalendarSubscription(b.Ctx, b.account.ID, f.ID))

	_, _, err = b.Store.CaseOfSubscription(b.Ctx, sha("token"))
	requireCode(t, models.CodeNotFound, err)
	all, err := b.Store.CalendarSubscriptions(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.True(t, revoked.Equal(*all[0].RevokedAt), "the first end stays")
}

func TestACalendarHidesAWithheldCase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.theCase(t, "26-CR-1")
	_, err := b.Store.CreateCalendarSubscription(b.Ctx, b.account.ID, c, "Jane's hearings", sha("token"))
	require.NoError(t, err)
	require.NoError(t, b.Store.RecordEvent(b.Ctx, models.AccountEvent{AccountID: b.account.ID, Actor: "ann", Action: "calendar address created", Subject: "26-CR-1"}))
	b.Exec(t, `update court_cases set withheld = 'juvenile'`)

	_, _, err = b.Store.CaseOfSubscription(b.Ctx, sha("token"))
	requireCode(t, models.CodeNotFound, err)
	all, err := b.Store.CalendarSubscriptions(b.Ctx, b.account.ID)
	require.NoError(t, err)
	require.Empty(t, all[0].CaseID+all[0].CaseNumber+all[0].Label)
	require.Equal(t, []string{"ann: calendar address created "}, b.trail(t))
	_, err = b.Store.CreateCalendarSubscription(b.Ctx, b.account.ID, c, "", sha("another token"))
	require.ErrorIs(t, err, models.ErrNoAccountOrCase)
}

func TestACalendarNeedsThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Store.CreateCalendarSubscription(b.Ctx, b.account.ID, b.theCase(t, "26-CR-1"), "", sha("token"))
	require.NoError(t, err)
	_, err = b.Store.UpdateAccount(b.Ctx, b.account.ID, models.AccountChange{Plan: new(models.Pro)})
	require.NoError(t, err)
	_, _, err = b.Store.CaseOfSubscription(b.Ctx, sha("token"))
	requireCode(t, models.CodeNotFound, err)
}
