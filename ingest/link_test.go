package ingest_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/linkage"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/snapshot"
)

func (b *bundle) linker() *linkage.Linker {
	return &linkage.Linker{Store: b.store, Log: slog.New(slog.DiscardHandler), Now: b.runner.Now}
}

// link runs the linker.
func (b *bundle) link(full bool) *linkage.Report {
	b.Helper()
	r, err := b.linker().Run(b.Context(), full)
	require.NoError(b, err)
	return r
}

// linkOf tells a booking's link as "G1 high matched", or "" without one.
func (b *bundle) linkOf(id string) string {
	b.Helper()
	return one[string](b, `select coalesce((select concat_ws(' ', c.gdc_id, l.confidence, l.origin) from gdc_links l join bookings b using (rid) join corrections_records c using (cid) where b.id = $1), '')`, id)
}

// change writes to a family as a run does: under a new generation.
func (b *bundle) change(family models.Family, statement string, args ...any) {
	b.Helper()
	gen := one[int64](b, `update generations set gen = gen + 1 where family = $1 returning gen`, family)
	_, err := b.db.Pool.Exec(b.Context(), statement, append([]any{gen}, args...)...)
	require.NoError(b, err)
}

func TestLinkageFollowsItsRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		name, dob string
		year      int
		withheld  string
		want      string
	}{
		"name and birth date agree":        {name: "Quentin Abernethy", dob: "1980-03-04", want: "G1 high matched"},
		"a conflicting birth date vetoes":  {name: "Quentin Elias Abernethy", dob: "1961-07-30"},
		"no birth evidence is at most low": {name: "Quentin Elias Abernethy", want: "G1 low matched"},
		"a year only is at most medium":    {name: "Quentin Elias Abernethy", year: 1980, want: "G1 medium matched"},
		"a year that conflicts vetoes":     {name: "Quentin Elias Abernethy", year: 1991},
		"two equal records make no link":   {name: "Zola Winterbourne", dob: "1975-12-24"},
		"a withheld booking has no link":   {name: "Quentin Abernethy", dob: "1980-03-04", withheld: "juvenile"},
		"a withheld record has no link":    {name: "Thelonius Quagmire", dob: "1969-02-11"},
		"another spelling of the name":     {name: "ABERNATHY, QUENTIN E", dob: "1980-03-04", want: "G1 high matched"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.add(
				testdb.Booking{ID: "fulton-2026-000001", Name: c.name, DOB: c.dob, BirthYear: c.year, Withheld: c.withheld},
				testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN ELIAS", DOB: "1980-03-04"},
				testdb.Offender{GdcID: "G2", Name: "WINTERBOURNE, ZOLA", DOB: "1975-12-24"},
				testdb.Offender{GdcID: "G3", Name: "WINTERBOURNE, ZOLA", DOB: "1975-12-24"},
				testdb.Offender{GdcID: "G4", Name: "QUAGMIRE, THELONIUS", DOB: "1969-02-11", Withheld: "restricted"},
			)
			b.link(false)
			require.Equal(t, c.want, b.linkOf("fulton-2026-000001"))
		})
	}
	require.True(t, b.link(false).Full, "the first run looks at everything")
	require.False(t, b.link(false).Full)
}

// add stores records under new generations; the builders give them the first.
func (b *bundle) add(records ...any) {
	b.Helper()
	b.db.Add(b.T, records...)
	_, err := b.db.Pool.Exec(b.Context(), `update generations set gen = 1 where gen = 0`)
	require.NoError(b, err)
	b.change(models.Roster, `update bookings set gen = $1 where gen = 1`)
	b.change(models.Corrections, `update corrections_records set gen = $1 where gen = 1`)
}

// people are a booking and records that may be its person's, of which G1 fits best.
func (b *bundle) people() (id string) {
	b.Helper()
	id = "fulton-2026-000001"
	b.add(testdb.Booking{ID: id, Name: "Quentin Abernethy", DOB: "1980-03-04"},
		testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN ELIAS", DOB: "1980-03-04"},
		testdb.Offender{GdcID: "G2", Name: "ABERNETHY, QUENTIN", DOB: "1980-01-01"},
		testdb.Offender{GdcID: "G9", Name: "MOONSAIL, ORLA", DOB: "1990-05-05"})
	return id
}

func TestGdcMatchAndCountyRecordsAgree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.people()
	b.add(testdb.Booking{ID: "bartow-2026-000001", County: "bartow", Name: "ABERNETHY, QUENTIN", DOB: "1980-03-04"},
		testdb.Booking{ID: "bartow-2026-000002", County: "bartow", Name: "Moonsail, Orla", BirthYear: 1990})
	r := b.link(false)
	require.Equal(t, []int{3, 3, 3, 0, 0}, []int{r.Bookings, r.Records, r.Made, r.Changed, r.Removed})
	rids := one[[]int64](b, `select array_agg(rid) from bookings`)
	cids := one[[]int64](b, `select array_agg(cid) from corrections_records`)
	forth, err := b.store.GdcLinksOf(t.Context(), rids)
	require.NoError(t, err)
	back, err := b.store.CountyRecordsOf(t.Context(), cids)
	require.NoError(t, err)
	seen := 0
	for cid, records := range back {
		for _, rec := range records {
			require.Equal(t, forth[rec.RID], rec.GdcLink)
			require.Equal(t, cid, rec.CID)
			require.NotEmpty(t, rec.Reasons)
			seen++
		}
	}
	require.Len(t, forth, seen)
	require.Equal(t, 3, seen)
}

func TestLinksFollowTheRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.people()
	b.link(false)
	require.Equal(t, "G1 high matched", b.linkOf(id))

	b.change(models.Corrections, `update corrections_records set status = 'paroled', gen = $1 where gdc_id = 'G1'`)
	require.Zero(t, b.link(false).Bookings, "what says nothing of the person concerns no link")

	b.change(models.Corrections, `update corrections_records set withheld = 'vanished', gen = $1 where gdc_id = 'G1'`)
	b.link(false)
	require.Equal(t, "G2 medium matched", b.linkOf(id), "the next best record is left")

	b.change(models.Corrections, `update corrections_records set withheld = null, gen = $1 where gdc_id = 'G1'`)
	b.link(false)
	require.Equal(t, "G1 high matched", b.linkOf(id))

	b.add(testdb.Offender{GdcID: "G3", Name: "ABERNETHY, QUENTIN ELIAS", DOB: "1980-03-04"})
	b.link(false)
	require.Empty(t, b.linkOf(id), "a tie")

	b.change(models.Corrections, `with claims as (delete from corrections_claims where key = 'G3') delete from corrections_records where $1 > 0 and gdc_id = 'G3'`)
	b.link(false)
	require.Equal(t, "G1 high matched", b.linkOf(id), "a tie that is gone leaves no trace")

	b.change(models.Roster, `update bookings set dob = '1961-07-30', gen = $1`)
	b.link(false)
	require.Empty(t, b.linkOf(id))
	b.change(models.Roster, `update bookings set dob = '1980-03-04', gen = $1`)
	b.link(false)
	b.change(models.Roster, `update bookings set withheld = 'restricted', gen = $1`)
	require.Equal(t, 1, b.link(false).Removed)
}

func TestDismissedPairsNeverComeBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.people()
	b.link(false)
	require.NoError(t, b.store.DecideLink(t.Context(), id, "G1", models.LinkDismissed))
	require.Empty(t, b.linkOf(id), "at once")
	b.link(false)
	require.Equal(t, "G2 medium matched", b.linkOf(id), "what was dismissed does not stand in the way of others")
	b.link(true)
	require.Equal(t, "G2 medium matched", b.linkOf(id))

	// The same booking and record under their ids again, and an import that links them.
	b.change(models.Roster, `delete from bookings where $1 > 0`)
	b.change(models.Corrections, `with claims as (delete from corrections_claims) delete from corrections_records where $1 > 0`)
	b.people()
	b.link(false)
	require.Equal(t, "G2 medium matched", b.linkOf(id))
	applied, err := b.store.ImportLinks(t.Context(), b.now, func(yield func(*snapshot.ImportedLink, error) bool) {
		yield(&snapshot.ImportedLink{RosterID: id, GDCID: "G1", Confidence: "high", Line: 1}, nil)
	})
	require.NoError(t, err)
	require.Zero(t, applied.New)
	require.Equal(t, "G2 medium matched", b.linkOf(id))
}

func TestConfirmedLinksArePinned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.people()
	b.link(false)
	require.NoError(t, b.store.DecideLink(t.Context(), id, "G9", models.LinkConfirmed))
	require.Equal(t, "G9 high operator", b.linkOf(id), "at once, whatever matching says")
	b.link(true)
	require.Equal(t, "G9 high operator", b.linkOf(id))

	b.change(models.Roster, `delete from bookings where $1 > 0`)
	b.change(models.Corrections, `with claims as (delete from corrections_claims) delete from corrections_records where $1 > 0`)
	b.people()
	b.link(false)
	require.Equal(t, "G9 high operator", b.linkOf(id), "they came back under their ids")

	require.NoError(t, b.store.DecideLink(t.Context(), id, "G2", models.LinkConfirmed))
	require.Equal(t, "G2 high operator", b.linkOf(id), "a booking is of one person")
	require.NoError(t, b.store.DecideLink(t.Context(), id, "G2", models.LinkDismissed))
	b.link(false)
	require.Equal(t, "G1 high matched", b.linkOf(id), "another verdict on the pair takes the place of the first")

	err := b.store.DecideLink(t.Context(), id, "G404", models.LinkConfirmed)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	err = b.store.DecideLink(t.Context(), "fulton-2026-999999", "G1", models.LinkDismissed)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestImportedLinksAreNotTouched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.people()
	b.link(false)
	importLink := func(yield func(*snapshot.ImportedLink, error) bool) {
		yield(&snapshot.ImportedLink{RosterID: id, GDCID: "G2", Confidence: "low", MugshotMatch: true, Line: 1}, nil)
	}
	applied, err := b.store.ImportLinks(t.Context(), b.now, importLink)
	require.NoError(t, err)
	require.Equal(t, 1, applied.New, "a confirmed link takes the place of a matched one")
	b.change(models.Roster, `update bookings set gen = $1`)
	b.change(models.Corrections, `update corrections_records set name = name || ' JR', gen = $1 where gdc_id = 'G2'`)
	b.link(false)
	b.link(true)
	require.Equal(t, "G2 low imported", b.linkOf(id))
	require.True(t, one[bool](b, `select mugshot_match and pinned from gdc_links`))
}

func TestARunThatWasCutOffIsMadeGood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.people()
	run, err := b.store.BeginLinkRun(t.Context(), false)
	require.NoError(t, err)
	run.Close()
	require.True(t, b.link(false).Full)
	require.Equal(t, "G1 high matched", b.linkOf(id))
}

func TestRunsTakeTurns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.people()
	first, err := b.store.BeginLinkRun(t.Context(), false)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := b.linker().Run(t.Context(), false)
		done <- err
	}()
	require.Eventually(t, func() bool {
		return one[int](b, `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`) == 1
	}, time.Minute, 10*time.Millisecond)
	require.Empty(t, done)
	first.Close()
	require.NoError(t, <-done)
}

func TestExplanationsSayWhatDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.people()
	b.link(false)
	e, err := b.linker().Explain(t.Context(), id, "G1")
	require.NoError(t, err)
	require.Equal(t, "high", e.Confidence)
	require.Contains(t, e.Reasons, "birth date agrees")
	require.Equal(t, []string{"The booking is linked to this record (high, matched)."}, e.Notes)

	e, err = b.linker().Explain(t.Context(), id, "G9")
	require.NoError(t, err)
	require.Empty(t, e.Confidence)
	require.Equal(t, []string{"The booking is linked to G1 (high, matched)."}, e.Notes)

	require.NoError(t, b.store.DecideLink(t.Context(), id, "G1", models.LinkDismissed))
	e, err = b.linker().Explain(t.Context(), id, "G1")
	require.NoError(t, err)
	require.Equal(t, []string{"An operator dismissed this pair.", "The booking has no link."}, e.Notes)
	require.Equal(t, "dismissed", fmt.Sprint(*e.Decision))
}
