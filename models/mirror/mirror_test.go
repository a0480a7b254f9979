package mirror_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/mirror"
	"rollcall/models/snapshot"
	"rollcall/models/store"
)

// copied is what a client keeps: the last change that it saw of each record that is there.
type copied struct {
	store  *store.Store
	ask    mirror.Ask
	has    map[string]time.Time
	merged map[string]string // of what went into another record
	got    []string          // all changes, as kind and id
}

func follower(s *store.Store, first int, families ...models.Family) *copied {
	return &copied{store: s, ask: mirror.Ask{Families: families, First: first}, has: map[string]time.Time{}, merged: map[string]string{}}
}

// step applies one page and reports whether there is another. Changed records are read after the page, as a client reads them.
func (c *copied) step(ctx context.Context) (more bool, err error) {
	page, err := c.store.ChangesAfter(ctx, c.ask)
	if err != nil {
		return false, err
	}
	for _, change := range page.Changes {
		c.got = append(c.got, string(change.Kind)+" "+change.ID)
		at, there, err := c.read(ctx, change)
		if err != nil {
			return false, err
		}
		delete(c.has, change.ID)
		if there {
			c.has[change.ID] = at
		}
		if change.MergedInto != nil {
			c.merged[change.ID] = *change.MergedInto
		}
	}
	end, err := page.PageInfo.EndCursor()
	if err != nil {
		return false, err
	}
	c.ask.After = *end
	return page.PageInfo.HasNextPage, nil
}

func (c *copied) read(ctx context.Context, of *mirror.Change) (at time.Time, there bool, err error) {
	switch keys := []int64{of.Key}; {
	case of.Kind == mirror.Gone:
	case of.Family == models.Roster:
		found, err := c.store.BookingsByKeys(ctx, keys)
		if b := found[of.Key]; b != nil {
			return b.LastChange, true, err
		}
		return at, false, err
	case of.Family == models.Courts:
		found, err := c.store.CourtCasesByKeys(ctx, keys)
		if k := found[of.Key]; k != nil {
			return k.LastChange, true, err
		}
		return at, false, err
	default:
		found, err := c.store.CorrectionsByKeys(ctx, keys)
		if o := found[of.Key]; o != nil {
			return o.LastChange, true, err
		}
		return at, false, err
	}
	return at, false, nil
}

// all applies every page there is and returns what came.
func (c *copied) all(t *testing.T) []string {
	t.Helper()
	c.got = nil
	for {
		more, err := c.step(t.Context())
		require.NoError(t, err)
		if !more {
			return c.got
		}
	}
}

// published is what a whole copy of the families has.
func published(t *testing.T, s *store.Store) map[string]time.Time {
	t.Helper()
	out := map[string]time.Time{}
	page := models.Page{Limit: models.MaxLimit}
	bookings, err := s.ListBookings(t.Context(), models.RosterFilter{}, page)
	require.NoError(t, err)
	for _, b := range bookings.Records {
		out[b.ID] = b.LastChange
	}
	cases, err := s.ListCourtCases(t.Context(), models.CourtFilter{}, page)
	require.NoError(t, err)
	for _, k := range cases.Records {
		out[k.ID()] = k.LastChange
	}
	offenders, err := s.ListCorrections(t.Context(), models.CorrectionsFilter{}, page)
	require.NoError(t, err)
	for _, o := range offenders.Records {
		out[o.ID()] = o.LastChange
	}
	require.Len(t, out, bookings.Total+cases.Total+offenders.Total, "one page holds all")
	return out
}

func TestAFollowerSeesWhatChangedAndWhatWent(t *testing.T) {
	t.Parallel()
	b := modelstest.Setup(t)
	const one, two, child, three = "fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003", "fulton-2026-000004"
	b.Add(t, testdb.Booking{ID: one, Name: "DOE, JANE"}, testdb.Booking{ID: two, Name: "DOE, JANE"}, testdb.Booking{ID: child, Name: "ROE, RAY", Withheld: "juvenile"},
		testdb.Booking{ID: three, Name: "POE, ANN"}, testdb.Case{Number: "26-CR-1", Defendant: "ROE, RAY"}, testdb.Offender{GdcID: "1000412", Name: "LOW, LEE"})
	b.Exec(t, `update generations set gen = 1`)
	kase := "case-fulton-" + text(t, b, `select id from court_cases`)
	all := []string{"changed " + one, "changed " + two, "changed " + three, "changed " + kase, "changed gdc-1000412"}
	c, few, late := follower(b.Store, 100), follower(b.Store, 1), follower(b.Store, 100, models.Corrections, models.Courts)
	require.Equal(t, all, c.all(t), "what is withheld is not there")
	require.Equal(t, all, few.all(t), "in pages of one")
	require.Equal(t, all[3:], late.all(t), "of two families")
	require.Empty(t, c.all(t), "nothing changed")

	expect := func(what string, want ...string) {
		t.Helper()
		require.Equal(t, want, c.all(t), what)
		require.Equal(t, want, few.all(t), what)
		require.Equal(t, published(t, b.Store), c.has, what)
		require.Equal(t, c.has, few.has, what)
	}
	hour := func() { b.Now = b.Now.Add(time.Hour) }
	hour()
	require.NoError(t, b.Store.MergeBookings(b.Ctx, one, two))
	expect("a merge", "changed "+one, "gone "+two)
	require.Equal(t, map[string]string{two: one}, c.merged)
	hour()
	_, err := b.Store.Restrict(b.Ctx, three, "ada", "order")
	require.NoError(t, err)
	expect("an order of a court", "gone "+three)
	hour()
	require.NoError(t, b.Store.Review(b.Ctx, three, models.ReviewLifted, "ada", "looked at"))
	expect("its end", "changed "+three)
	hour()
	require.NoError(t, b.Store.Unmerge(b.Ctx, models.Roster, two, "ada", "looked at"))
	expect("an unmerge", "changed "+one, "changed "+two)
	b.Exec(t, `delete from court_cases`)
	expect("a deletion", "gone "+kase)
	require.Equal(t, []string{"gone " + kase}, late.all(t))

	clear(c.merged)
	hour()
	require.NoError(t, b.Store.MergeBookings(b.Ctx, one, two))
	hour()
	_, err = b.Store.Restrict(b.Ctx, one, "ada", "order")
	require.NoError(t, err)
	expect("a merge into what is sealed then", "gone "+two, "gone "+one)
	require.Empty(t, c.merged, "the record that stayed is not visible")
	require.Equal(t, []string{"changed " + three, "changed gdc-1000412"}, follower(b.Store, 100).all(t), "who begins now learns of nothing that went before")
}

func text(t *testing.T, b *modelstest.Bundle, sql string) (s string) {
	t.Helper()
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select x::text from (`+sql+`) q (x)`).Scan(&s))
	return s
}

// A record that nobody can have seen leaves no tombstone: its id would say that there is a juvenile.
func TestWhatNobodySawLeavesNoTombstone(t *testing.T) {
	t.Parallel()
	b := modelstest.Setup(t)
	read := func(withheld models.WithheldReason) {
		t.Helper()
		b.Now = b.Now.Add(time.Hour)
		row := modelstest.Offender("LEE", "incarcerated", withheld, b.Now)
		_, _, err := b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", b.Now, false), modelstest.Each([]*snapshot.CorrectionsRow{row}))
		require.NoError(t, err)
	}
	c := follower(b.Store, 10)
	require.Empty(t, c.all(t))
	read(models.WithheldJuvenile)
	require.Empty(t, c.all(t))
	b.Exec(t, `update corrections_records set withheld = null, gen = gen + 1, last_change = now(); update corrections_records set withheld = 'restricted'`)
	require.Empty(t, c.all(t), "shown and hidden in one generation")
	b.Exec(t, `update generations set gen = gen + 2; update corrections_records set withheld = null, gen = gen + 1, last_change = now()`)
	require.Equal(t, []string{"changed gdc-1000412"}, c.all(t))
	b.Exec(t, `update generations set gen = gen + 1; update corrections_records set withheld = 'restricted', gen = gen + 1, last_change = now()`)
	require.Equal(t, []string{"gone gdc-1000412"}, c.all(t))

	b.Exec(t, `insert into corrections_records (gdc_id, source_id, name, name_key, status, category, categories, first_seen, last_seen, known_at, last_change, gen)
 values ('2', 'prison', 'N', 'n', 'incarcerated', 'offender', '{}', now(), now(), '2026-04-01', '2026-04-01', 9); update corrections_records set withheld = 'juvenile' where gdc_id = '2'; update generations set gen = 9`)
	require.Empty(t, c.all(t), "a run brought it and hid it")
}

func TestACursorEndsWithTheTombstonesThatItNeeds(t *testing.T) {
	t.Parallel()
	b := modelstest.Setup(t)
	b.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Booking{ID: "fulton-2026-000002", Name: "POE, ANN"})
	b.Exec(t, `update generations set gen = 1`)
	before, half := follower(b.Store, 10), follower(b.Store, 1)
	before.all(t)
	_, err := half.step(b.Ctx)
	require.NoError(t, err)
	_, err = b.Store.Restrict(b.Ctx, "fulton-2026-000001", "ada", "order")
	require.NoError(t, err)
	after := follower(b.Store, 10)
	after.all(t)

	b.Now = b.Now.Add(mirror.Keep - time.Minute)
	b.Exec(t, `update tombstones set at = '2026-03-10T15:00:00Z'`)
	n, err := b.Store.ForgetTombstones(b.Ctx)
	require.NoError(t, err)
	require.Zero(t, n)
	b.Now = b.Now.Add(time.Hour)
	n, err = b.Store.ForgetTombstones(b.Ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)

	for name, c := range map[string]*copied{"one who had read all": before, "one who was reading": half} {
		_, err = c.step(b.Ctx)
		require.Equal(t, models.CodeCursorExpired, models.CodeOf(err), name)
	}
	require.Empty(t, after.all(t), "one that needs no tombstone goes on")
	b.Exec(t, `update generations set gen = 1 where family = 'roster'`)
	_, err = after.step(b.Ctx)
	require.Equal(t, models.CodeCursorExpired, models.CodeOf(err), "the database was restored from before")
}

func TestAnAskForChangesThatCannotBe(t *testing.T) {
	t.Parallel()
	b := modelstest.Setup(t)
	c := follower(b.Store, 10, models.Courts)
	c.all(t)
	for name, ask := range map[string]mirror.Ask{
		"no changes":             {First: 0},
		"too many":               {First: mirror.MaxFirst + 1},
		"links":                  {First: 1, Families: []models.Family{models.LinksFamily}},
		"other families":         {First: 1, Families: []models.Family{models.Roster}, After: c.ask.After},
		"a cursor of the client": {First: 1, After: "AAAAAAAAAAAAAAAA"},
	} {
		_, err := b.Store.ChangesAfter(b.Ctx, ask)
		require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err), name)
	}
	page, err := b.Store.ChangesAfter(b.Ctx, mirror.Ask{First: 1, After: c.ask.After})
	require.NoError(t, err, "a cursor knows its families")
	require.Empty(t, page.Changes)
}
