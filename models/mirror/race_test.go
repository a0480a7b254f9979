package mirror_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
	"rollcall/models/store"
)

// writers are what changes records in a race: a source of each family and an operator.
type writers struct {
	*modelstest.Bundle
	county int16
	t      *testing.T
}

// reports applies a file of each family about random records, some of them withheld by it.
func (w *writers) reports(family models.Family, r *rand.Rand) error {
	at := w.Store.Moment()
	hidden := func() models.WithheldReason {
		return []models.WithheldReason{"", "", "", models.WithheldRestricted, models.WithheldJuvenile}[r.IntN(5)]
	}
	var err error
	switch family {
	case models.Roster:
		var rows []*snapshot.RosterRow
		for i := range 5 {
			key, bond := fmt.Sprint("K", r.IntN(4)*5+i), r.Int64N(1e6)
			rows = append(rows, &snapshot.RosterRow{
				Key: key, CountyID: w.county, Name: "DOE, " + key, BookedAt: w.Now.Add(-time.Hour), BondCents: &bond, Withheld: hidden(), SeenAt: at, Line: int64(i), Fingerprint: fmt.Append(nil, bond),
			})
		}
		_, _, err = w.Store.ReconcileRoster(w.Ctx, w.Reconciler(w.t, "jail", at, false), modelstest.Each(rows))
	case models.Courts:
		var rows []*snapshot.CourtRow
		for i := range 5 {
			number, offense := fmt.Sprint("26-CR-", r.IntN(4)*5+i), fmt.Sprint("THEFT ", r.Int())
			rows = append(rows, &snapshot.CourtRow{
				CaseKey: snapshot.CaseKey{CountyID: w.county, CourtType: "state", Number: number, Party: "1"}, Whole: true, SeenAt: at, Line: int64(i), Fingerprint: []byte(offense),
				Case: &snapshot.CaseFacts{Defendant: "DOE, " + number, Offense: offense, Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending", Withheld: hidden()},
			})
		}
		_, _, err = w.Store.ReconcileCourts(w.Ctx, w.Reconciler(w.t, "court", at, false), modelstest.Each(rows))
	case models.Corrections:
		var rows []*snapshot.CorrectionsRow
		for i := range 5 {
			row := modelstest.Offender(fmt.Sprint("PRISON ", r.Int()), "incarcerated", hidden(), at)
			row.GDCID = strconv.Itoa(r.IntN(4)*5 + i)
			rows = append(rows, row)
		}
		_, _, err = w.Store.ReconcileCorrections(w.Ctx, w.Reconciler(w.t, "prison", at, false), modelstest.Each(rows))
	}
	return err
}

// decides is one random decision of an operator, or a deletion. What is not possible is left.
func (w *writers) decides(r *rand.Rand) error {
	booking := func() string { return fmt.Sprintf("fulton-2026-%06d", 1+r.IntN(20)) }
	id := []string{booking(), strconv.Itoa(r.IntN(20))}[r.IntN(2)]
	var err error
	switch r.IntN(6) {
	case 0:
		_, err = w.Store.Restrict(w.Ctx, id, "ada", "looked at")
	case 1:
		err = w.Store.Review(w.Ctx, id, models.ReviewLifted, "ada", "looked at")
	case 2:
		err = w.Store.MergeBookings(w.Ctx, booking(), booking())
	case 3:
		err = w.Store.Unmerge(w.Ctx, models.Roster, booking(), "ada", "looked at")
	case 4:
		err = w.Store.MergeCorrections(w.Ctx, strconv.Itoa(r.IntN(20)), strconv.Itoa(r.IntN(20)))
	default:
		_, err = w.Pool.Exec(w.Ctx, `with claims as (delete from court_claims where record = $1) delete from court_cases where id = $1`, 1+r.IntN(20))
	}
	if models.CodeOf(err) != models.CodeInternal {
		return nil
	}
	return err
}

// The copies of clients that follow while sources and operators write end equal to what is published, whether they read
// with caches or without, in pages of any size, from the beginning or from later on.
func TestCopiesEndEqualToWhatIsPublished(t *testing.T) {
	t.Parallel()
	b := modelstest.Setup(t)
	b.Now = time.Now()
	open := func(keep int) *store.Store {
		s, err := store.Open(t.Context(), b.Pool.Config().ConnString(), store.Options{Secret: []byte("test"), KeepRecords: keep})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		return s
	}
	plain, cached := open(0), open(1<<20)
	_, leave := cached.Changes(t.Context(), models.Roster, slog.New(slog.DiscardHandler))
	t.Cleanup(leave)
	fulton, err := plain.Counties().BySlug("fulton")
	require.NoError(t, err)
	w := &writers{&modelstest.Bundle{Ctx: t.Context(), Store: plain, Pool: b.Pool, Now: b.Now}, fulton.ID, t}
	seed := rand.Uint64()
	t.Log("seed", seed)

	const rounds = 10
	var working, reading sync.WaitGroup
	done := make(chan struct{})
	for i, family := range []models.Family{models.Roster, models.Courts, models.Corrections, ""} {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		working.Go(func() {
			for range rounds {
				write := func() error { return w.decides(r) }
				if family != "" {
					write = func() error { return w.reports(family, r) }
				}
				if err := write(); err != nil {
					t.Errorf("write %s: %v", family, err)
				}
			}
		})
	}
	copies := []*copied{follower(plain, 1000), follower(plain, 3), follower(cached, 4), follower(cached, 1)}
	follow := func(c *copied) {
		for {
			more, err := c.step(t.Context())
			if err != nil {
				t.Errorf("follow: %v", err)
				return
			}
			select {
			case <-done:
				if !more {
					return
				}
			default:
			}
		}
	}
	for _, c := range copies {
		reading.Go(func() { follow(c) })
	}
	working.Wait()
	close(done)
	reading.Wait()

	want := published(t, plain)
	require.NotEmpty(t, want)
	for i, c := range copies {
		// What is cached is announced some milliseconds after it is committed.
		require.Eventually(t, func() bool { follow(c); return len(c.has) == len(want) && fmt.Sprint(c.has) == fmt.Sprint(want) }, time.Minute, 10*time.Millisecond,
			"copy %d: %v, published: %v", i, c.has, want)
	}
	require.Contains(t, fmt.Sprint(copies[1].got), "gone ")
}
