package notifier_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// other is somebody nobody watches; the jail is never empty.
var other = person{key: "0", name: "BRACKENRIDGE, TOLLIVER", bond: 900_00}

func TestAStayFiresBookingBondChangesAndRelease(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{})
	w := d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1", bond: 500_00})
	d.list(t, other, person{key: "1", bond: 500_00})
	d.list(t, other, person{key: "1", bond: 750_50})
	d.list(t, other, person{key: "1"})
	d.list(t, other)
	d.list(t, other)
	require.Equal(t, "booking bond_change bond_change release", d.kinds(t))

	sent := d.deliveries(t)
	require.Len(t, sent, 4)
	var record struct{ ID string }
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select b.id from bookings b join roster_claims g on g.record = b.rid where g.key = '1'`).Scan(&record.ID))
	//nolint:testifylint // the bytes matter: they are what is signed
	require.Equal(t, fmt.Sprintf(`{"event":"bond_change","alert_id":%q,"timestamp":"2026-03-10T17:00:01Z","record":{"id":%q,"name":"QUILLFEATHER, MARLOWE","county":"Ben Hill","booking_date":"2026-03-10T11:00:00-04:00","charges":["THEFT"],"bond_amount":750.5}}`,
		w.ID, record.ID), string(sent[1].Body))
	require.Equal(t, []any{*sent[0].EventID, models.DeliveryPending, "normal"}, []any{sent[0].MessageID, sent[0].State, sent[0].Match.Level})
	require.NotEmpty(t, sent[0].Match.Reasons)
	hits, err := d.store.Hits(t.Context(), d.account, w.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, hits, 1, "one person, one hit")
}

func TestAWatcherSeesWhatIsDetectedAfterItsCreation(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.list(t, other, person{key: "1", bond: 500_00})
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1", bond: 500_00})
	require.Empty(t, d.fired(t), "a person already booked is no news")
	d.list(t, other, person{key: "1", bond: 600_00})
	d.list(t, other)
	require.Equal(t, "bond_change release", d.kinds(t), "what happens to the stay is")
	d.list(t, other, person{key: "2"})
	require.Equal(t, "bond_change release booking", d.kinds(t), "a new booking number is a new booking")
}

func TestAWatcherThatIsCreatedBetweenCommitAndMatchSeesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.load(t, true, other, person{key: "1"})
	d.watch(t, models.NewWatcher{})
	d.match(t)
	require.Empty(t, d.fired(t))
}

func TestTheFirstRunOfASourceFiresOnlyRecentBookings(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.watch(t, models.NewWatcher{Name: "Marlowe Quillfeather"})
	d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
	old, recent := person{key: "1", booked: start.AddDate(0, 0, -2)}, person{key: "2", name: "MOONSAIL, ORLA", booked: start.Add(-20 * time.Hour)}
	d.list(t, old, recent)
	require.Equal(t, []string{"booking 2 Orla Moonsail"}, d.fired(t))
	d.list(t, old, recent, person{key: "3", booked: start.AddDate(0, 0, -9)})
	require.Equal(t, []string{"booking 2 Orla Moonsail", "booking 3 Marlowe Quillfeather"}, d.fired(t), "outside a baseline the age does not matter")

	d.clock = d.clock.Add(5 * time.Hour) // an outage
	d.list(t, recent, person{key: "4", booked: start.AddDate(0, 0, -8)})
	require.Equal(t, []string{"release 1 Marlowe Quillfeather", "release 3 Marlowe Quillfeather"}, d.fired(t)[2:], "known facts always fire, old bookings do not")
}

func TestARunThatWasCutOffAfterItsCommitWasNoOutage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.watch(t, models.NewWatcher{})
	d.list(t, other) // this run is never concluded: no success is noted for it
	d.list(t, other, person{key: "1", booked: start.AddDate(0, 0, -9)})
	require.Equal(t, "booking", d.kinds(t))
}

func TestAReleaseThatIsWithdrawnIsRetracted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	plain := d.register(t, models.NewWebhook{})
	asks := d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeRetraction}})
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"})
	d.list(t, other)
	d.watch(t, models.NewWatcher{Name: "Quillfeather, Marlowe", Label: new("late")})
	d.list(t, other, person{key: "1"})
	d.list(t, other)
	require.Equal(t, []string{
		"booking 1 Marlowe Quillfeather", "release 1 Marlowe Quillfeather", "retraction 1 Marlowe Quillfeather",
		"release 1 Marlowe Quillfeather", "release 1 Quillfeather, Marlowe",
	}, append(d.fired(t)[:3], slices.Sorted(slices.Values(d.fired(t)[3:]))...), "whoever was not told of the release needs no retraction; no new booking")
	count := map[string]int{}
	for _, s := range d.deliveries(t) {
		count[s.WebhookID+" "+s.Kind]++
		if s.Kind == "retraction" {
			var body struct {
				Version  int
				Retracts struct{ ID, Event string }
			}
			require.NoError(t, json.Unmarshal(s.Body, &body))
			require.Equal(t, []any{2, "release", true}, []any{body.Version, body.Retracts.Event, body.Retracts.ID != *s.EventID})
		}
	}
	require.Equal(t, map[string]int{
		plain.ID + " booking": 1, plain.ID + " release": 3, asks.ID + " booking": 1, asks.ID + " release": 3, asks.ID + " retraction": 1,
	}, count)
}

func TestACorrectedNameIsMatchedAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.watch(t, models.NewWatcher{Name: "Orla Quillfeather"})
	d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
	d.list(t, other, person{key: "1", name: "MOONSAIL, ORLA"})
	d.list(t, other, person{key: "1", name: "QUILLFEATHER-MOONSAIL, ORLA"})
	require.Equal(t, []string{"booking 1 Orla Moonsail", "booking 1 Orla Quillfeather"}, d.fired(t))
	d.list(t, other, person{key: "1", name: "QUILLFEATHER-MOONSAIL, ORLAH"})
	d.list(t, other, person{key: "1", name: "Quillfeather-Moonsail,  Orla"})
	require.Len(t, d.fired(t), 2, "whoever knew it is told no second time")
	late := d.watch(t, models.NewWatcher{Name: "Orla Quillfeather"})
	d.list(t, other, person{key: "1", name: "QUILLFEATHER-MOONSAIL, ORLAH"})
	require.Len(t, d.fired(t), 2, "a correction is no news to a watcher that came too late and would have recognised the old name")
	require.NoError(t, d.store.DeleteWatcher(t.Context(), d.account, late.ID))
	d.list(t, other)
	require.ElementsMatch(t, []string{"release 1 Orla Moonsail", "release 1 Orla Quillfeather"}, d.fired(t)[2:])
}

// A run that corrects the name may also say that something happened. Who watches for the name of before is notified of that.
func TestWhatHappensWithACorrectionConcernsBothNames(t *testing.T) {
	t.Parallel()
	const double, single = "QUILLFEATHER-MOONSAIL, ORLA", "QUILLFEATHER, ORLA"
	d := newDesk(t)
	d.list(t, other)
	d.watch(t, models.NewWatcher{Name: "Orla Quillfeather"})
	d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
	seen := 0
	fired := func() []string {
		all := d.fired(t)
		defer func() { seen = len(all) }()
		return all[seen:]
	}
	both := func(kind, key string) []string {
		return []string{kind + " " + key + " Orla Moonsail", kind + " " + key + " Orla Quillfeather"}
	}
	d.list(t, other, person{key: "1", name: double}, person{key: "2", name: double})
	require.ElementsMatch(t, append(both("booking", "1"), both("booking", "2")...), fired())
	d.list(t, other, person{key: "1", name: single, bond: 100_00}, person{key: "2", name: single, released: new(d.clock)})
	require.ElementsMatch(t, append(both("bond_change", "1"), both("release", "2")...), fired())
	d.list(t, other, person{key: "1", name: single, bond: 200_00}, person{key: "2", name: single, released: new(d.clock)})
	require.Equal(t, []string{"bond_change 1 Orla Quillfeather"}, fired(), "what happens later concerns the name of today")
}

func TestWithheldRecordsNeverFireAndASealedOneIsToldToWhomItWasSent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1", withheld: "juvenile", who: "P1"})
	d.list(t, other, person{key: "1", withheld: "juvenile", bond: 100_00, who: "P1"})
	d.list(t, other)
	require.Empty(t, d.fired(t))
	d.list(t, other, person{key: "2", who: "P1"})
	require.Empty(t, d.fired(t), "the source's own number of the person says who it is")

	d = newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeWithheld}})
	w := d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "2"})
	d.list(t, other, person{key: "2", withheld: models.WithheldJuvenile})
	require.Equal(t, "booking sealed", d.kinds(t))
	sent := d.deliveries(t)
	require.NotContains(t, string(sent[1].Body), "QUILLFEATHER")
	require.Contains(t, string(sent[1].Body), `"event":"sealed","alert_id":"`+w.ID)
	d.list(t, other, person{key: "2"})
	require.Equal(t, "booking sealed", d.kinds(t), "what was told stays told")
}

func TestPausedDeletedAndChoosyWatchersFireNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	paused := d.watch(t, models.NewWatcher{Name: "Marlowe Quillfeather", Paused: true})
	deleted := d.watch(t, models.NewWatcher{Name: "Marlowe A Quillfeather"})
	d.watch(t, models.NewWatcher{Name: "Marlowe Quillfeather", Events: &[]models.EventKind{models.EventRelease}})
	d.watch(t, models.NewWatcher{Name: "Marlowe Quillfeather", County: new("fulton")})
	d.watch(t, models.NewWatcher{Name: "Marlowe Quillfeather", Dob: date(t, "1950-01-01")})
	d.load(t, true, other, person{key: "1", dob: "1990-02-03"})
	require.NoError(t, d.store.DeleteWatcher(t.Context(), d.account, deleted.ID))
	_, err := d.store.UpdateWatcher(t.Context(), d.account, paused.ID, models.WatcherChange{Paused: new(false)})
	require.NoError(t, err)
	d.match(t)
	require.Empty(t, d.fired(t))
	d.list(t, other)
	require.Equal(t, "release release", d.kinds(t))
}

func TestADismissedPersonNeverFiresAgainForThatWatcher(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	w := d.watch(t, models.NewWatcher{})
	d.watch(t, models.NewWatcher{Name: "Marlowe Quillfeather", Label: new("another desk")})
	d.list(t, other, person{key: "1", dob: "1990-02-03", who: "P1"})
	hits, err := d.store.Hits(t.Context(), d.account, w.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	hit, err := d.store.Feedback(t.Context(), d.account, hits[0].ID, "DISMISS")
	require.NoError(t, err)
	require.Equal(t, models.Dismiss, *hit.Feedback)
	count := func() (n int) {
		require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select count(*) from events where watcher_id = $1`, w.ID).Scan(&n))
		return n
	}
	d.list(t, other)
	d.list(t, other, person{key: "2", dob: "1990-02-03", name: "QUILLFEATHER, MARLOWE JAY"}) // the same birth
	d.list(t, other, person{key: "3", who: "P1"})                                            // the jail's own number
	require.Equal(t, 1, count())
	d.list(t, other, person{key: "4", dob: "1971-11-30"})
	require.Equal(t, 2, count(), "somebody else of that name")
	d.list(t, other, person{key: "5"})
	require.Equal(t, 4, count(), "the release of 4, and 5: a name alone does not make it the same person")
	_, err = d.store.Feedback(t.Context(), d.account, hit.ID, models.Unsure)
	require.NoError(t, err)
	d.list(t, other, person{key: "6", dob: "1990-02-03"})
	require.Equal(t, 6, count(), "the release of 5 and, now that the verdict was taken back, 6")
	var all int
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select count(*) from events where watcher_id <> $1`, w.ID).Scan(&all))
	require.Greater(t, all, 8, "the other watcher was told of everything")
}

func TestDeliveriesGoToRegistrationsThatAskForThem(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	w := d.watch(t, models.NewWatcher{})
	bookings := d.register(t, models.NewWebhook{Events: []models.EventKind{models.EventBooking}, PayloadVersion: new(2)})
	d.register(t, models.NewWebhook{Events: []models.EventKind{models.EventRelease}})
	paused := d.register(t, models.NewWebhook{Paused: true})
	gone := d.register(t, models.NewWebhook{})
	require.NoError(t, d.store.DeleteWebhook(t.Context(), d.account, gone.ID))
	d.list(t, other, person{key: "1"})
	got := map[string]string{}
	for _, s := range d.deliveries(t) {
		got[s.WebhookID] = string(s.State)
		if s.WebhookID == bookings.ID {
			require.Contains(t, string(s.Body), `{"version":2,"id":"`+s.MessageID)
		}
	}
	require.Equal(t, map[string]string{bookings.ID: "pending", paused.ID: "dropped"}, got, "what a paused one missed can be replayed")

	require.NoError(t, d.store.DeleteWatcher(t.Context(), d.account, w.ID))
	for _, s := range d.deliveries(t) {
		require.Equal(t, models.DeliveryDropped, s.State)
		if s.WebhookID == bookings.ID {
			require.Equal(t, models.DropCancelled, *s.Reason)
		}
	}
}

func TestTheFloodLimitDelaysAndNeverSuppresses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{})
	for i := range 10 {
		d.watch(t, models.NewWatcher{Label: new(strconv.Itoa(i))})
	}
	_, err := d.store.UpdateAccount(t.Context(), d.account, models.AccountChange{FloodLimit: new(4)})
	require.NoError(t, err)
	d.list(t, other, person{key: "1"})
	late := map[time.Duration]int{}
	for _, s := range d.deliveries(t) {
		late[s.NextAttempt.Sub(d.clock)]++
	}
	require.Equal(t, map[time.Duration]int{0: 4, 15 * time.Second: 1, 30 * time.Second: 1, 45 * time.Second: 1, 60 * time.Second: 1, 75 * time.Second: 1, 90 * time.Second: 1}, late)
}

func TestBlindWatchersAreToldWhenASourceGoesStaleAndRecovers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	_, err := d.db.Pool.Exec(t.Context(), `update sources set enabled = true`)
	require.NoError(t, err)
	h := d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeSourceStale}})
	d.register(t, models.NewWebhook{})
	d.watch(t, models.NewWatcher{County: new("ben-hill")})
	d.watch(t, models.NewWatcher{})
	d.watch(t, models.NewWatcher{County: new("fulton")})
	note := func() {
		_, err := d.store.NoteSources(t.Context())
		require.NoError(t, err)
		d.match(t)
	}
	note()
	require.Empty(t, d.fired(t))
	d.clock = d.clock.Add(2 * time.Hour)
	note()
	note()
	require.Equal(t, "source_stale", d.kinds(t))
	d.list(t, other)
	note()
	note()
	require.Equal(t, "source_stale source_recovered", d.kinds(t))
	sent := d.deliveries(t)
	require.Len(t, sent, 2)
	require.Equal(t, h.ID, sent[0].WebhookID)
	require.Nil(t, sent[0].Match)
	require.Equal(t, `{"version":2,"id":"`+sent[0].MessageID+`","event":"source_stale","timestamp":"2026-03-10T17:30:03Z","alerts":2,"source":{"title":"Jail","counties":["Ben Hill"],"last_success":"2026-03-10T15:30:00Z"}}`, string(sent[0].Body))
}

func TestChangesAreMatchedOnceHoweverManyAreAtIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	for i := range 5 {
		d.watch(t, models.NewWatcher{Label: new(strconv.Itoa(i))})
	}
	d.register(t, models.NewWebhook{})
	people := []person{other}
	for i := range 300 {
		people = append(people, person{key: strconv.Itoa(i + 1)})
	}
	d.load(t, true, people...)
	done := make(chan error)
	for range 4 {
		go func() {
			_, err := d.matcher.Drain(context.WithoutCancel(t.Context()))
			done <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
	var events, distinct, deliveries int
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select count(*), count(distinct (watcher_id, rid)), (select count(*) from deliveries) from events`).Scan(&events, &distinct, &deliveries))
	require.Equal(t, []int{1500, 1500, 1500}, []int{events, distinct, deliveries})
}

func date(t *testing.T, s string) *models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	require.NoError(t, err)
	return &d
}
