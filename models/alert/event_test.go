package alert_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

// notice stores a notice of an account about the source jail.
func (b *bundle) notice(t *testing.T, account string, kind models.EventKind) string {
	t.Helper()
	id := models.NewID("evt")
	b.Exec(t, `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $4, 0) returning id
), change as (
  insert into changes (batch_id, kind, detected_at, matched_at, source_id) select id, $3, $4, $4, 'jail' from batch returning id
)
insert into events (id, account_id, kind, change_id, at, created_at) select $1, $2, $3, id, $4, $4 from change`, id, account, kind, b.Now)
	return id
}

func idsOf(events []*models.AlertEvent) []string {
	ids := []string{}
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestEventsAreFollowedInTheOrderOfTheirNumbers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.tell(t, "fulton-2026-000001", "fulton-2026-000002"), b.tell(t)
	id, seq, err := b.Store.LastEvent(b.Ctx, a.account)
	require.NoError(t, err)
	require.Equal(t, []any{models.BeforeEvents, int64(0)}, []any{id, seq})

	booking := b.event(t, a, "fulton-2026-000001", models.EventBooking)
	release := b.event(t, a, "fulton-2026-000001", models.EventRelease)
	hidden := b.event(t, a, "fulton-2026-000002", models.EventBooking)
	theirs := b.event(t, other, "fulton-2026-000001", models.EventBooking)
	stale := b.notice(t, a.account, models.EventSourceStale)
	b.withhold(t, "fulton-2026-000002")

	all, err := b.Store.EventsAfter(b.Ctx, a.account, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []string{booking, release}, idsOf(all), "notices and withheld records are left out")
	require.Equal(t, &models.AlertEvent{
		ID: booking, Seq: all[0].Seq, AccountID: a.account, Kind: models.EventBooking, WatcherID: &a.watcher.ID, RID: new(b.rid(t, "fulton-2026-000001")),
		HitID: all[0].HitID, At: b.Now,
	}, all[0])
	first, err := b.Store.EventsAfter(b.Ctx, a.account, 0, 1)
	require.NoError(t, err)
	require.Equal(t, []string{booking}, idsOf(first))
	rest, err := b.Store.EventsAfter(b.Ctx, a.account, first[0].Seq, 10)
	require.NoError(t, err)
	require.Equal(t, []string{release}, idsOf(rest))
	latest, err := b.Store.LatestEvents(b.Ctx, a.account, 10)
	require.NoError(t, err)
	require.Equal(t, []string{release, booking}, idsOf(latest))

	id, seq, err = b.Store.LastEvent(b.Ctx, a.account)
	require.NoError(t, err)
	require.Equal(t, stale, id, "notices included")
	same, err := b.Store.EventSeq(b.Ctx, a.account, stale)
	require.NoError(t, err)
	require.Equal(t, seq, same)
	zero, err := b.Store.EventSeq(b.Ctx, a.account, models.BeforeEvents)
	require.NoError(t, err)
	require.Zero(t, zero)
	for _, unknown := range []string{theirs, "evt_none", "evt_\x00"} {
		_, err = b.Store.EventSeq(b.Ctx, a.account, unknown)
		requireCode(t, models.CodeInvalidParameter, err)
	}
	_, err = b.Store.EventSeq(b.Ctx, a.account, hidden)
	require.NoError(t, err, "a place stays a place")
}

func TestNoticesAreWhatEventsLeaveOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001", "fulton-2026-000002")
	release := b.event(t, a, "fulton-2026-000001", models.EventRelease)
	retraction := b.Event(t, modelstest.Event{Watcher: a.watcher.ID, Record: "fulton-2026-000001", Kind: models.EventRetraction, Retracts: release})
	hidden := b.event(t, a, "fulton-2026-000002", models.EventRelease)
	b.Event(t, modelstest.Event{Watcher: a.watcher.ID, Record: "fulton-2026-000002", Kind: models.EventRetraction, Retracts: hidden})
	sealed := b.event(t, a, "fulton-2026-000002", models.EventWithheld)
	stale := b.notice(t, a.account, models.EventSourceStale)
	b.withhold(t, "fulton-2026-000002")

	all, err := b.Store.NoticesAfter(b.Ctx, a.account, 0, 10)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, []any{retraction, new("fulton-2026-000001"), &release, (*string)(nil)}, []any{all[0].ID, all[0].RecordID, all[0].Retracts, all[0].SourceID})
	require.Equal(t, []any{sealed, new("fulton-2026-000002"), b.Now}, []any{all[1].ID, all[1].RecordID, all[1].At}, "it names the record that cannot be read any more")
	require.Equal(t, []any{stale, (*string)(nil), new("jail")}, []any{all[2].ID, all[2].RecordID, all[2].SourceID})
	rest, err := b.Store.NoticesAfter(b.Ctx, a.account, all[0].Seq, 1)
	require.NoError(t, err)
	require.Equal(t, all[1:2], rest)
}

func TestTheFactsOfAnEventAreThoseOfItsMoment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.tell(t, "fulton-2026-000001", "fulton-2026-000002"), b.tell(t)
	shown, hidden := b.event(t, a, "fulton-2026-000001", models.EventBooking), b.event(t, a, "fulton-2026-000002", models.EventBooking)
	theirs := b.event(t, other, "fulton-2026-000001", models.EventBooking)
	stale := b.notice(t, a.account, models.EventSourceStale)
	b.withhold(t, "fulton-2026-000002")
	b.Exec(t, `update bookings set name = 'MOONSAIL, ORLA' where id = 'fulton-2026-000001'`)

	facts, err := b.Store.FactsOfEvents(b.Ctx, a.account, []string{shown, hidden, theirs, stale, "evt_none"})
	require.NoError(t, err)
	county, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	require.Equal(t, map[string]*models.EventFacts{shown: {
		RecordID: "fulton-2026-000001", Name: "MOONSAIL, WREN", County: county, BookingDate: time.Date(2026, 3, 1, 7, 0, 0, 0, models.Georgia), Charges: []string{"THEFT"}, BondCents: new(int64(150000)),
	}}, facts)

	ofShown, err := b.Store.HitTotals(b.Ctx, a.account, []string{a.watcher.ID})
	require.NoError(t, err)
	require.Equal(t, 1, ofShown[a.watcher.ID].Count)
	hits, err := b.Store.Hits(b.Ctx, a.account, a.watcher.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	release := b.event(t, a, "fulton-2026-000001", models.EventRelease)
	b.event(t, a, "fulton-2026-000001", models.EventWithheld)
	by, err := b.Store.EventsOfHits(b.Ctx, a.account, []string{hits[0].ID, "hit_none"})
	require.NoError(t, err)
	require.Len(t, by, 1)
	require.Equal(t, []string{shown, release}, idsOf(by[hits[0].ID]), "oldest first, without notices")
	by, err = b.Store.EventsOfHits(b.Ctx, other.account, []string{hits[0].ID})
	require.NoError(t, err)
	require.Empty(t, by)
}

func TestFollowersHearOfTheirAccountsEvents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.tell(t, "fulton-2026-000001"), b.tell(t)
	log := slog.New(slog.DiscardHandler)
	mine, leave := b.Store.EventNews(b.Ctx, a.account, log)
	theirs, leaveToo := b.Store.EventNews(b.Ctx, other.account, log)
	soon(t, mine) // connected
	soon(t, theirs)
	b.event(t, a, "fulton-2026-000001", models.EventBooking)
	soon(t, mine)
	leave()
	b.event(t, other, "fulton-2026-000001", models.EventBooking)
	soon(t, theirs)
	leaveToo()
	leaveToo() // again is fine

	later, leave := b.Store.EventNews(b.Ctx, a.account, log)
	defer leave()
	soon(t, later)
}

func TestARunSaysHowManyAlertsItFired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.tell(t, "fulton-2026-000001"), b.tell(t)
	b.event(t, a, "fulton-2026-000001", models.EventBooking)
	b.event(t, a, "fulton-2026-000001", models.EventRelease)
	b.event(t, other, "fulton-2026-000001", models.EventBooking)
	var run int64
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `insert into runs (source_id, state, started_at) values ('jail', 'ok', $1) returning id`, b.Now).Scan(&run))
	fired, known, err := b.Store.FiredBy(b.Ctx, run)
	require.NoError(t, err)
	require.Equal(t, []any{0, false}, []any{fired, known}, "it changed nothing")
	b.Exec(t, `update changes set matched_at = detected_at`)
	b.Exec(t, `update change_batches set run_id = $1`, run)
	fired, known, err = b.Store.FiredBy(b.Ctx, run)
	require.NoError(t, err)
	require.Equal(t, []any{2, true}, []any{fired, known})
	b.change(t, "fulton-2026-000001", models.EventBondChange, nil)
	b.Exec(t, `update change_batches set run_id = $1`, run)
	_, known, err = b.Store.FiredBy(b.Ctx, run)
	require.NoError(t, err)
	require.False(t, known, "another change is not matched yet")
}
