package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

func TestTheTrailIsReadInPagesNewestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, action := range []string{"one", "two", "three"} {
		require.NoError(t, b.Store.RecordEvent(b.Ctx, models.AccountEvent{AccountID: b.account.ID, Actor: "ann", Action: action, Subject: "it"}))
	}
	first, err := b.Store.AccountEvents(b.Ctx, b.account.ID, 0, 2)
	require.NoError(t, err)
	require.Len(t, first, 2)
	require.Equal(t, "three", first[0].Action)
	require.True(t, first[0].At.Equal(b.Now))
	rest, err := b.Store.AccountEvents(b.Ctx, b.account.ID, first[1].ID, 2)
	require.NoError(t, err)
	require.Len(t, rest, 1)
	require.Equal(t, "one", rest[0].Action)
}

func TestADeedNamesItsActor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, k := b.user(t, "ann@example.org", models.Owner), b.key(t, "one", "scanner")
	before := len(b.trail(t))
	for _, d := range []models.Deed{
		{Actor: models.Actor{UserID: u.ID}, Action: "done", Subject: "a"}, {Actor: models.Actor{KeyID: k.ID}, Action: "done", Subject: "b"}, {Action: "done", Subject: "c"},
	} {
		d.AccountID = b.account.ID
		require.NoError(t, b.Store.RecordDeed(b.Ctx, d))
	}
	require.Equal(t, []string{"ann@example.org: done a", "key scanner (rc_12345…): done b", "a program: done c"}, b.trail(t)[before:])
}

func TestTheTrailDoesNotNameAWithheldBooking(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelstest.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, modelstest.Booking{ID: "fulton-2026-000002", Name: "ROE, RICHARD"})
	for _, subject := range []string{"fulton-2026-000001 as right", "fulton-2026-000002 as wrong"} {
		require.NoError(t, b.Store.RecordEvent(b.Ctx, models.AccountEvent{AccountID: b.account.ID, Actor: "ann", Action: "answered", Subject: subject}))
	}
	b.Exec(t, `update bookings set withheld = 'juvenile' where id = 'fulton-2026-000001'`)
	require.Equal(t, []string{"ann: answered ", "ann: answered fulton-2026-000002 as wrong"}, b.trail(t))
}

func TestUsageAddsUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	hour := b.Now.Truncate(time.Hour)
	count := func(hour time.Time, requests, limited int64) models.UsageCount {
		return models.UsageCount{AccountID: b.account.ID, Hour: hour, Requests: requests, Limited: limited}
	}
	require.NoError(t, b.Store.AddUsage(b.Ctx, nil))
	require.NoError(t, b.Store.AddUsage(b.Ctx, []models.UsageCount{count(hour, 1, 0), count(hour, 2, 1), count(hour.Add(-time.Hour), 5, 0)}))
	require.NoError(t, b.Store.AddUsage(b.Ctx, []models.UsageCount{count(hour, 4, 1), count(hour.Add(-2*time.Hour), 9, 9)}))
	got, err := b.Store.UsageOf(b.Ctx, b.account.ID, hour.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, []models.UsageHour{{Hour: hour.Add(-time.Hour), Requests: 5}, {Hour: hour, Requests: 7, Limited: 2}}, got)
}
