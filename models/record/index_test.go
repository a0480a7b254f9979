package record_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

// index is a list index that notes what it is asked, and is not loaded.
type index struct{ asked models.IndexQuery }

func (ix *index) Find(q models.IndexQuery) (models.IndexPage, bool) {
	ix.asked = q
	return models.IndexPage{}, false
}

func (*index) CatchUp(context.Context, int64) error { return nil }

// rows are the published rows of a family's index by tie, or what changed after a generation.
func (b *bundle) rows(t *testing.T, f models.Family, since int64) (rows []models.IndexRow, gen int64) {
	t.Helper()
	gen, err := b.Store.IndexRows(b.Ctx, f, since, func(r *models.IndexRow) error {
		rows = append(rows, *r)
		return nil
	})
	require.NoError(t, err)
	return rows, gen
}

func TestRowsOfTheIndexAreInTheOrderOfTheList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	rows, gen := b.rows(t, models.Roster, 0)
	require.EqualValues(t, 1, gen)
	require.Len(t, rows, 2)
	require.Equal(t, "fulton-2026-000002", rows[0].Tie, "newest first")
	require.Equal(t, at(t, "2026-03-02T12:00:00-05:00").UnixMicro(), rows[0].Order)
	require.Equal(t, "doe jane", rows[0].Words)
	rows, _ = b.rows(t, models.Courts, 0)
	require.Len(t, rows, 2)
	require.Equal(t, at(t, "2026-02-02T00:00:00Z").Unix()/int64((24*time.Hour).Seconds()), rows[0].Order)
	rows, _ = b.rows(t, models.Corrections, 0)
	require.Len(t, rows, 1)
}

func TestWhatChangedAfterAGenerationIsRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	b.Exec(t, `update generations set gen = 2 where family = 'roster'`)
	b.Exec(t, `update bookings set withheld = 'juvenile', gen = 2 where id = $1`, janes)
	b.Exec(t, `delete from bookings where id = 'fulton-2026-000002'`)
	rows, gen := b.rows(t, models.Roster, 1)
	require.EqualValues(t, 3, gen)
	require.Len(t, rows, 2)
	for _, r := range rows {
		require.True(t, r.Gone)
	}
	now, err := b.Store.Generation(b.Ctx, models.Roster)
	require.NoError(t, err)
	require.Equal(t, gen, now)
	_, err = b.Store.Generation(b.Ctx, "none")
	require.Error(t, err)
}

// The comment of models.IndexRow names the numbers that lists are narrowed by (facet.go).
func TestTheNumbersOfFacetsAreThoseOfTheComment(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../index.go")
	require.NoError(t, err)
	comment := strings.Join(strings.Fields(strings.ReplaceAll(string(source), "//", " ")), " ")
	number := func(values ...string) string {
		for i, v := range values {
			values[i] = strconv.Itoa(i+1) + " " + v
		}
		return strings.Join(values, ", ")
	}
	for _, names := range []string{
		"status (" + number(string(models.Booked), string(models.Released)) + ").",
		"court type (" + number(string(models.StateCourt), string(models.SuperiorCourt), string(models.MagistrateCourt), string(models.WarrantsCourt)) + "),",
		"category (" + number(string(models.Offender), string(models.Parolee), string(models.SexOffender)) + "),",
		"status (" + number(string(models.PendingCase), string(models.ClosedCase), string(models.WarrantCase), string(models.UnknownCase)) + ").",
		"status (" + number(string(models.Incarcerated), string(models.Paroled), string(models.ReleasedByPrison), string(models.UnknownCustody)) + ").",
	} {
		require.Contains(t, comment, names, "models.IndexRow names other numbers")
	}
}

// The numbers of facets stand in Go and in SQL.
func TestFacetsAreTheSameInSQLAndGo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	roster := []models.RosterStatus{models.Booked, models.Released}
	kinds := []models.CourtType{models.StateCourt, models.SuperiorCourt, models.MagistrateCourt, models.WarrantsCourt}
	statuses := []models.CourtStatus{models.PendingCase, models.ClosedCase, models.WarrantCase, models.UnknownCase}
	categories := []models.Category{models.Offender, models.Parolee, models.SexOffender}
	custody := []models.CorrectionsStatus{models.Incarcerated, models.Paroled, models.ReleasedByPrison, models.UnknownCustody}
	b.Add(t, testdb.Booking{ID: "a", Name: "A"}, testdb.Booking{ID: "b", Name: "B", Released: "2026-03-04T08:00:00-05:00"})
	for i := range statuses {
		number := string(rune('a' + i))
		b.Add(t, testdb.Case{Number: number, Defendant: "D", Court: string(kinds[i]), Status: string(statuses[i])},
			testdb.Offender{GdcID: number, Name: "O", Category: string(categories[i%len(categories)]), Status: string(custody[i])})
	}
	for _, table := range []string{"bookings", "court_cases", "corrections_records"} {
		b.Exec(t, `update `+table+` set gen = 2`)
	}
	ix := &index{}
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		b.Store.UseIndex(f, ix)
		facets := func(list func() error) [3]int16 {
			require.NoError(t, list())
			return ix.asked.Facets
		}
		rows, _ := b.rows(t, f, 0)
		changed, _ := b.rows(t, f, 1)
		require.NotEmpty(t, rows)
		require.ElementsMatch(t, rows, changed, "a changed record has the row of a new one")
		for _, r := range rows {
			i := int(r.Tie[0] - 'a')
			switch f {
			case models.Roster:
				want := facets(func() error {
					_, err := b.Store.ListBookings(b.Ctx, models.RosterFilter{Status: &roster[i]}, models.Page{Limit: 1})
					return err
				})
				require.Equal(t, want[1], r.Facets[1])
			case models.Courts:
				want := facets(func() error {
					_, err := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{CourtType: &kinds[i], Status: &statuses[i]}, models.Page{Limit: 1})
					return err
				})
				require.Equal(t, want[1:], r.Facets[1:])
			case models.Corrections:
				r.Tie = r.Tie[len("o\x01"):]
				i = int(r.Tie[0] - 'a')
				want := facets(func() error {
					_, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{Category: &categories[i%len(categories)], Status: &custody[i]}, models.Page{Limit: 1})
					return err
				})
				require.Equal(t, want, r.Facets)
			}
		}
	}
	_, err := b.Store.ListBookings(b.Ctx, models.RosterFilter{Status: new(models.RosterStatus("elsewhere"))}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, 3, ix.asked.Facets[1], "a value that no record has matches nothing")
	_, err = b.Store.ListCourtCases(b.Ctx, models.CourtFilter{KnownStatus: true}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, -4, ix.asked.Facets[2])
	_, err = b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{KnownStatus: true, Status: new(models.UnknownCustody)}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, 5, ix.asked.Facets[1], "nothing is known and unknown")
}

// A page behind a cursor costs what a page at an offset costs: the index answers both.
func TestTheIndexAnswersCursors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Add(t, testdb.Booking{ID: "a", Name: "A"}, testdb.Case{Number: "a", Defendant: "D"}, testdb.Offender{GdcID: "a", Name: "O"})
	ix := &index{}
	for f, list := range map[models.Family]func(after string) (models.PageInfo, error){
		models.Roster: func(after string) (models.PageInfo, error) {
			p, err := b.Store.ListBookings(b.Ctx, models.RosterFilter{}, models.Page{Limit: 1, After: after})
			return p.PageInfo, err
		},
		models.Courts: func(after string) (models.PageInfo, error) {
			p, err := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{}, models.Page{Limit: 1, After: after})
			return p.PageInfo, err
		},
		models.Corrections: func(after string) (models.PageInfo, error) {
			p, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{}, models.Page{Limit: 1, After: after})
			return p.PageInfo, err
		},
	} {
		info, err := list("")
		require.NoError(t, err)
		cursor, err := info.EndCursor()
		require.NoError(t, err)
		b.Store.UseIndex(f, ix)
		_, err = list(*cursor)
		require.NoError(t, err)
		row, _ := b.rows(t, f, 0)
		require.Equal(t, &models.IndexPlace{Order: row[0].Order, Tie: row[0].Tie}, ix.asked.After, f)
	}
}

func TestANameHasBounds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelstest.Booking{ID: "a", Name: "A B C D E F G H I"})
	for name, refused := range map[string]bool{
		"a b c d e f g h":                   false,
		"a b c d e f g h i":                 true,
		strings.Repeat("x", 300):            false,
		strings.Repeat("x", 301):            true,
		strings.Repeat("a ", 70_000):        true,
		strings.Repeat(" ", 299) + "a":      false,
		"a-b-c-d-e-f-g-h-i":                 true,
		strings.Repeat("'", 20) + "a a":     false,
		strings.Repeat("\u0301", 200) + "a": true,
	} {
		_, err := b.Store.ListBookings(b.Ctx, models.RosterFilter{Name: &name}, models.Page{Limit: 1})
		_, courts := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{Name: &name}, models.Page{Limit: 1})
		_, corrections := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{Name: &name}, models.Page{Limit: 1})
		for _, err := range []error{err, courts, corrections} {
			require.Equal(t, refused, models.CodeOf(err) == models.CodeInvalidParameter, "%.20q: %v", name, err)
		}
	}
}
