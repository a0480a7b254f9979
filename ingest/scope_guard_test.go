package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// many is rosterDocument of several counties, with a juvenile flag.
func many(t *testing.T, pairs ...string) *ingest.Source {
	t.Helper()
	return sourceWith(t, "many", append([]string{
		"county: ben-hill\n", "", "columns: [id, name, booked, bond]", "columns: [cty, id, name, booked, bond, juvenile]",
		"booking: {number: id,", "booking: {county: cty, juvenile: juvenile, number: id,",
	}, pairs...)...)
}

// changesOnly makes many report only changes.
func changesOnly(more ...string) []string {
	return append([]string{
		"publish: {policy: full_roster, absence: released, confirmations: 1}", "publish: {policy: delta, absence: nothing}",
		`, end_marker: "#end"}`, "}", "complete: {end_marker: true, shrink: 1, min_rows: 1}\n", "",
	}, more...)
}

const manyColumns = "cty,id,name,booked,bond,juvenile\n"

// rowsOf writes n rows of each county.
func rowsOf(n int, bond string, counties ...string) string {
	var b strings.Builder
	for _, c := range counties {
		for i := range n {
			fmt.Fprintf(&b, "%s,K%d,\"QUILLFEATHER%c, WREN\",2026-01-05 10:%02d,%s,N\n", c, i, 'A'+rune(i), i, bond)
		}
	}
	return b.String()
}

func (b *bundle) county(slug string) *models.County {
	b.Helper()
	c, err := b.store.Counties().BySlug(slug)
	require.NoError(b, err)
	return c
}

func TestFewerFilesOfSeveralCountiesReleaseNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t)
	write := func(name, text string) string {
		f := filepath.Join(b.dir, name)
		require.NoError(t, os.WriteFile(f, []byte(text), 0o600))
		return f
	}
	one := write("one.csv", manyColumns+rowsOf(8, "$1.00", "Appling")+"#end\n")
	two := write("two.csv", manyColumns+strings.NewReplacer("K", "L", "QUILL", "MOON").Replace(rowsOf(2, "$1.00", "Appling"))+"#end\n")
	_, err := b.runner.Run(t.Context(), s, ingest.Input{Files: []string{one, two}, At: b.now.Add(-24 * time.Hour)})
	require.NoError(t, err)
	r, err := b.runner.Run(t.Context(), s, ingest.Input{Files: []string{one}, At: b.now})
	require.NoError(t, err)
	require.Equal(t, []any{source.RunPartial, false, 0}, []any{r.State, r.Complete, r.Closed}, r.String())
}

func TestACountyThatWasStoppedInAReplayWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t, changesOnly()...)
	b.runSource(s, "a.csv", manyColumns+rowsOf(3, "$1.00", "Appling", "Bacon"), b.now.Add(-48*time.Hour))
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "the vendor moves", b.now))
	require.NoError(t, b.store.HoldSource(t.Context(), "many:appling", "the jail moves", b.now))
	b.runSource(s, "b.csv", manyColumns+rowsOf(3, "$2.00", "Appling", "Bacon"), b.now)
	_, err := b.runner.Release(t.Context(), s, b.county("appling"), ingest.Decision{})
	require.ErrorContains(t, err, "is on hold as a whole: release that first")
	_, err = b.runner.Release(t.Context(), s, nil, ingest.Decision{})
	require.NoError(t, err)
	changed := `select count(*) from bookings where bond_cents = 200`
	require.Equal(t, 3, one[int](b, changed))
	_, err = b.runner.Release(t.Context(), s, b.county("appling"), ingest.Decision{})
	require.NoError(t, err)
	require.Equal(t, 6, one[int](b, changed))
	waiting, err := b.store.WaitingRuns(t.Context(), s.ID)
	require.NoError(t, err)
	require.Empty(t, waiting)
}

func TestAWaitingFileThatIsHeldAnewCanBeDiscarded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t, append(changesOnly(), "bond: bond}", "bond: bond, released_at: {from: out, layouts: ['2006-01-02 15:04']}}", "bond, juvenile]", "bond, juvenile, out]")...)
	file := func(out string) string {
		return strings.Replace(manyColumns, "juvenile", "juvenile,out", 1) + strings.ReplaceAll(rowsOf(26, "$1.00", "Appling"), ",N\n", ",N,"+out+"\n")
	}
	b.runSource(s, "a.csv", file(""), b.now.Add(-48*time.Hour))
	require.NoError(t, b.store.HoldSource(t.Context(), "many:appling", "the jail moves", b.now))
	b.runSource(s, "b.csv", file("2026-03-08 09:00"), b.now)
	b.release(s)
	held := `select count(*) from sources where held_since is not null and held_run is not null`
	require.Equal(t, 1, one[int](b, held), "26 releases at once are judged when they are read")
	b.discard(s)
	require.Zero(t, one[int](b, held))
	require.Equal(t, 26, one[int](b, `select count(*) from bookings where status = 'booked'`))
}

func TestAHoldOfASourceStopsTheCountiesOfARunThatGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t)
	b.runSource(s, "a.csv", manyColumns+rowsOf(3, "$1.00", "Appling", "Bacon")+"#end\n", b.now.Add(-24*time.Hour))
	held := false
	b.runner.Progress = func(p ingest.Progress) {
		if p.Stage == "reconcile" && !held {
			held = true
			require.NoError(b, b.store.HoldSource(b.Context(), s.ID, "stop", b.now))
		}
	}
	r := b.runSource(s, "b.csv", manyColumns+rowsOf(3, "$2.00", "Appling", "Bacon")+"#end\n", b.now)
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Changed}, r.String())
	require.Zero(t, one[int](b, `select count(*) from bookings where bond_cents = 200`))
}

func TestGuarantee11AFlagThatIsGoneIsMissedAfterAnIncompleteFileToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	doc := strings.NewReplacer("number: id,", "number: id, county: cty, juvenile: minor,", "county: ben-hill\n", "").Replace(fadingDocument)
	s, err := ingest.Parse([]byte(doc))
	require.NoError(t, err)
	b.runSource(s, "a.json", jsonPeople(10, `"cty": "Appling", "minor": false, "charges": []`), b.now.Add(-72*time.Hour))
	gone := func(n int) string { return jsonPeople(n, `"cty": "Appling", "charges": []`) }
	b.runSource(s, "b.json", strings.Replace(gone(1), `"count": 1`, `"count": 10`, 1), b.now.Add(-48*time.Hour))
	r := b.runSource(s, "c.json", gone(11), b.now.Add(-24*time.Hour))
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Equal(t, 10, one[int](b, `select count(*) from bookings where withheld is null`))

	t.Log("an operator who released it has seen it")
	require.Equal(t, source.RunOK, b.release(s).State)
	r = b.runSource(s, "d.json", gone(11), b.now)
	require.Equal(t, source.RunOK, r.State, r.String())
}

func TestGuarantee11AnUnreadRowOfAJuvenileHidesInACountyWithoutOtherRows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t)
	row := "Appling,M1,\"MOONSAIL, ORLA\",%s,$1.00,%s\n"
	others := rowsOf(3, "$1.00", "Bacon")
	b.runSource(s, "a.csv", manyColumns+others+fmt.Sprintf(row, "2026-02-01 01:30", "N")+"#end\n", b.now.Add(-24*time.Hour))
	fresh := one[time.Time](b, `select data_at from sources where id = 'many:appling'`)
	b.runSource(s, "b.csv", manyColumns+others+fmt.Sprintf(row, "soon", "Y")+"#end\n", b.now)
	require.Zero(t, one[int](b, `select count(*) from bookings where name like 'MOON%' and withheld is null`))
	require.Zero(t, one[int](b, `select count(*) from bookings where name like 'MOON%' and released_at is not null`))
	require.Equal(t, fresh, one[time.Time](b, `select data_at from sources where id = 'many:appling'`), "nothing was heard of its others")
}

func TestAQuietCountyOfAFileOfChangesHadNoOutage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t, changesOnly("decode:", "schedule: {every: 30m, data: 30m}\ndecode:")...)
	b.runSource(s, "a.csv", manyColumns+rowsOf(3, "$1.00", "Appling", "Bacon"), b.now)
	for i := range 6 {
		b.now = b.now.Add(30 * time.Minute)
		b.runSource(s, "b.csv", manyColumns+rowsOf(1, fmt.Sprintf("$%d.00", i+2), "Bacon"), b.now)
	}
	b.now = b.now.Add(30 * time.Minute)
	b.runSource(s, "c.csv", manyColumns+"Appling,NEW,\"MOONSAIL, ORLA\",2026-03-07 06:00,$1.00,N\n", b.now)
	require.Equal(t, 1, one[int](b, `select count(*) from changes where kind = 'booking' and name like 'MOON%'`))
}

func TestAnotherCountysRowsConfirmNoAbsence(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t, `, end_marker: "#end"}`, "}", "end_marker: true, ", "", "confirmations: 1", "confirmations: 2")
	list := func(n int, other string) string {
		return manyColumns + rowsOf(n, "$1.00", "Appling") + rowsOf(3, other, "Bacon")
	}
	b.runSource(s, "a.csv", list(10, "$1.00"), b.now.Add(-5*time.Hour))
	require.Equal(t, 1, b.runSource(s, "b.csv", list(9, "$2.00"), b.now.Add(-4*time.Hour)).Missing)
	r := b.runSource(s, "c.csv", list(9, "$3.00"), b.now.Add(-3*time.Hour))
	require.Zero(t, r.Closed, "the same rows of the county came again: %s", r)
}

func TestARehearsalMakesNoScopes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t)
	b.runSource(s, "a.csv", manyColumns+rowsOf(3, "$1.00", "Appling")+"#end\n", b.now.Add(-24*time.Hour))
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "look", b.now))
	r := b.runSource(s, "b.csv", manyColumns+rowsOf(3, "$1.00", "Appling", "Bacon")+"#end\n", b.now)
	_, err := b.runner.Rehearse(t.Context(), s, r.Run)
	require.NoError(t, err)
	require.Equal(t, 2, one[int](b, `select count(*) from sources`))
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(b.store.AcceptColumns(t.Context(), "many:appling")), "the columns are the source's")
}

func TestAWaitingPartThatCanNotBeReadAnyMoreIsReplayedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t, changesOnly()...)
	b.runSource(s, "a.csv", manyColumns+rowsOf(3, "$1.00", "Appling", "Bacon"), b.now.Add(-48*time.Hour))
	require.NoError(t, b.store.HoldSource(t.Context(), "many:appling", "the jail moves", b.now))
	b.runSource(s, "b.csv", manyColumns+rowsOf(3, "$2.00", "Appling", "Bacon"), b.now)
	waits := func() []int64 {
		runs, err := b.store.WaitingRuns(t.Context(), "many:appling")
		require.NoError(t, err)
		return runs
	}
	require.Len(t, waits(), 1)
	other := many(t, changesOnly("layouts: ['2006-01-02 15:04']", "layouts: ['02.01.2006']")...)
	_, err := b.runner.Release(t.Context(), other, b.county("appling"), ingest.Decision{})
	require.NoError(t, err)
	require.Empty(t, waits())
	require.Equal(t, 1, one[int](b, `select count(*) from runs where source_id = 'many:appling' and replay_of is not null`))
}
