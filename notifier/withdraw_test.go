package notifier_test

import (
	"crypto/sha256"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

// keepAnswer keeps the answer to a request with a key, which shows a booking.
func (d *desk) keepAnswer(t *testing.T, key, id string) {
	t.Helper()
	_, claim, err := d.store.BeginIdempotent(t.Context(), d.account, key, []byte("request"))
	require.NoError(t, err)
	require.NoError(t, d.store.FinishIdempotent(t.Context(), claim, models.KeptAnswer{Status: 200, Body: []byte(`{"id":"` + id + `"}`)}))
}

// ids are the public ids of the bookings of the watched name, oldest first.
func (d *desk) ids(t *testing.T) (ids []string) {
	t.Helper()
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select array(select id from bookings where name like 'QUILLFEATHER, MARLOWE%' order by rid)`).Scan(&ids))
	require.NotEmpty(t, ids)
	return ids
}

// court tells of a case of a juvenile that names a booking's number.
func (d *desk) court(t *testing.T, number string) {
	t.Helper()
	_, err := d.store.PutSource(t.Context(), source.Entry{ID: "court", Title: "Court", Kind: "courts"})
	require.NoError(t, err)
	run, err := d.store.BeginRun(t.Context(), "court", d.clock)
	require.NoError(t, err)
	born, fingerprint := models.Date{Year: 2012, Month: 5, Day: 5}, sha256.Sum256([]byte(number))
	rows := iter.Seq2[*snapshot.CourtRow, error](func(yield func(*snapshot.CourtRow, error) bool) {
		yield(&snapshot.CourtRow{
			CaseKey: snapshot.CaseKey{CountyID: 17, CourtType: "superior", Number: "26-CR-1", Party: "1"}, Whole: true, SeenAt: d.clock, Fingerprint: fingerprint[:],
			Case: &snapshot.CaseFacts{Defendant: "QUILLFEATHER, MARLOWE", DOB: &born, BirthYear: 2012, BookingKey: number, Offense: "THEFT", Filed: models.DateOf(d.clock), Status: "pending", Withheld: models.WithheldJuvenile},
		}, nil)
	})
	_, _, err = d.store.ReconcileCourts(t.Context(), snapshot.Reconciler{
		Header: snapshot.Header{SourceID: "court", RunID: run, At: d.clock, Now: d.clock},
		Prove:  func(int) snapshot.Completeness { return snapshot.Completeness{} },
		Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}, rows)
	require.NoError(t, err)
}

// takeOver takes a booking of another system over.
func (d *desk) takeOver(t *testing.T, p person) {
	t.Helper()
	_, err := d.store.PutSource(t.Context(), source.Entry{ID: "import", Title: "Import", Kind: "roster"})
	require.NoError(t, err)
	run, err := d.store.BeginRun(t.Context(), "import", d.clock)
	require.NoError(t, err)
	rows := iter.Seq2[*snapshot.ImportedBooking, error](func(yield func(*snapshot.ImportedBooking, error) bool) {
		yield(&snapshot.ImportedBooking{ID: "bibb-2026-900001", RosterRow: *p.row(t, d.clock)}, nil)
	})
	_, err = d.store.ImportBookings(t.Context(), snapshot.Reconciler{
		Header: snapshot.Header{SourceID: "import", RunID: run, At: d.clock, Now: d.clock, Imported: true},
		Prove:  func(int) snapshot.Completeness { return snapshot.Completeness{} },
		Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}, rows)
	require.NoError(t, err)
}

// watched is a desk in a test.
type watched struct {
	*desk
	t *testing.T
}

// In whichever way the public loses a booking: with the transaction that hides it, its deliveries are dropped, answers that
// show it are forgotten and its events are followed no more; and who was told is told that it is withheld. Of court cases and
// of records that vanish, which are those of the corrections department, nobody is sent anything.
func TestEveryWayToHideABookingReachesWhoWasNotified(t *testing.T) {
	t.Parallel()
	child := func(p person) person {
		p.withheld = models.WithheldJuvenile
		return p
	}
	known := person{key: "1", who: "W1", number: "B-1"}
	for name, c := range map[string]struct {
		begin func(d watched) // default: the jail lists the person
		hide  func(d watched)
	}{
		"its source says a juvenile": {hide: func(d watched) { d.load(d.t, true, other, child(known)) }},
		"its source leaves it in doubt": {hide: func(d watched) {
			p := known
			p.withheld = models.WithheldMaybeJuvenile
			d.load(d.t, true, other, p)
		}},
		"its source restricts it": {hide: func(d watched) {
			p := known
			p.name = "SEALED DEFENDANT"
			d.load(d.t, true, other, p)
		}},
		"a late file says so": {hide: func(d watched) {
			now := d.clock
			d.clock = now.Add(-40 * time.Minute)
			d.load(d.t, false, child(known))
			d.clock = now
		}},
		"a row says so that is not taken": {
			begin: func(d watched) {
				p := known
				p.dob = "1980-02-03"
				d.list(d.t, other, p)
			},
			hide: func(d watched) {
				p := child(known)
				p.dob = "2012-05-05"
				d.load(d.t, false, p)
			},
		},
		"another source of it says so": {hide: func(d watched) {
			d.source = "second"
			d.load(d.t, true, other, child(person{key: "1"}))
		}},
		"a juvenile of an alike name, of another source": {hide: func(d watched) {
			d.source = "second"
			d.load(d.t, true, other, child(person{key: "4", name: "QUILLFEATHER, MARLOW"}))
		}},
		"a juvenile with the number of the person": {hide: func(d watched) {
			d.load(d.t, true, other, known, child(person{key: "5", name: "QUILLFEATHER, M", who: "W1"}))
		}},
		"a court knows a juvenile under its number": {hide: func(d watched) { d.court(d.t, "B-1") }},
		"a juvenile is taken over": {hide: func(d watched) {
			d.takeOver(d.t, child(person{key: "4", name: "QUILLFEATHER, MARLOW"}))
		}},
		"an operator keeps it": {
			begin: func(d watched) {
				p := known
				p.withheld = models.WithheldMaybeJuvenile
				d.list(d.t, other, p)
				require.NoError(d.t, d.store.Review(d.t.Context(), d.ids(d.t)[0], models.ReviewLifted, "ann", "looked at"))
				d.match(d.t)
			},
			hide: func(d watched) {
				require.NoError(d.t, d.store.Review(d.t.Context(), d.ids(d.t)[0], models.ReviewKept, "ann", "looked at"))
			},
		},
		"an operator restricts it": {hide: func(d watched) {
			_, err := d.store.Restrict(d.t.Context(), d.ids(d.t)[0], "ann", "an order of the court")
			require.NoError(d.t, err)
		}},
		"a source says so of one that was merged into it": {
			begin: func(d watched) {
				d.list(d.t, other, known, person{key: "2", name: "QUILLFEATHER, MARLOWE J"})
				ids := d.ids(d.t)
				require.NoError(d.t, d.store.MergeBookings(d.t.Context(), ids[0], ids[1]))
			},
			hide: func(d watched) {
				d.load(d.t, true, other, known, child(person{key: "2", name: "QUILLFEATHER, MARLOWE J"}))
			},
		},
		"a rebuild finds it": {hide: func(d watched) {
			_, err := d.db.Pool.Exec(d.t.Context(), `update roster_claims set evidence = jsonb_build_object('juvenile_at', said_at, 'more_at', said_at) where key = '1'`)
			require.NoError(d.t, err)
			_, err = d.store.Rebuild(d.t.Context(), models.Roster, false)
			require.NoError(d.t, err)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.list(t, other)
			d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeWithheld}})
			d.watch(t, models.NewWatcher{})
			if c.begin == nil {
				c.begin = func(d watched) { d.list(d.t, other, known) }
			}
			c.begin(watched{d, t})
			ids := d.ids(t)
			told := len(ids)
			require.Equal(t, slices.Repeat([]string{"booking pending"}, told), d.standing(t))
			for _, id := range ids {
				d.keepAnswer(t, id, id)
			}
			events, err := d.store.EventsAfter(t.Context(), d.account, 0, 10)
			require.NoError(t, err)
			require.NotEmpty(t, events)

			c.hide(watched{d, t})
			dropped := slices.Repeat([]string{"booking dropped sealed hidden"}, told)
			require.Equal(t, dropped, d.standing(t))
			for _, id := range ids {
				kept, _, err := d.store.BeginIdempotent(t.Context(), d.account, id, []byte("request"))
				require.NoError(t, err)
				require.Nil(t, kept, "the answer is forgotten")
				_, err = d.store.BookingByID(t.Context(), id)
				require.Equal(t, models.CodeNotFound, models.CodeOf(err))
			}
			events, err = d.store.EventsAfter(t.Context(), d.account, 0, 10)
			require.NoError(t, err)
			require.Empty(t, events)
			d.match(t)
			require.Equal(t, append(dropped, "sealed pending"), d.standing(t))
		})
	}
}

func TestARecordThatIsPublishedAgainIsNoNewBooking(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"its alert knew the booking": false, "its alert began after the booking": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			known := person{key: "1", who: "W1", bond: 500000}
			d.list(t, other)
			if late {
				d.list(t, other, known)
			}
			w := d.watch(t, models.NewWatcher{})
			if !late {
				d.list(t, other, known)
			}
			known.bond = 760000
			d.list(t, other, known)
			before := kindsOfHits(t, d, w.ID)
			require.Contains(t, before, models.EventBondChange)

			_, err := d.store.Restrict(t.Context(), d.ids(t)[0], "ann", "an order of the court")
			require.NoError(t, err)
			d.match(t)
			require.Empty(t, kindsOfHits(t, d, w.ID))
			require.NoError(t, d.store.Review(t.Context(), d.ids(t)[0], models.ReviewLifted, "ann", "the order was lifted"))
			d.match(t)
			require.Equal(t, before, kindsOfHits(t, d, w.ID), "the inbox tells what it told before")
		})
	}
}

// kindsOfHits are the kinds of what the hits of an alert tell, oldest first.
func kindsOfHits(t *testing.T, d *desk, watcher string) (kinds []models.EventKind) {
	t.Helper()
	hits, err := d.store.Hits(t.Context(), d.account, watcher, models.Page{Limit: 10})
	require.NoError(t, err)
	for _, h := range hits {
		events, err := d.store.EventsOfHits(t.Context(), d.account, []string{h.ID})
		require.NoError(t, err)
		for _, e := range events[h.ID] {
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
}
