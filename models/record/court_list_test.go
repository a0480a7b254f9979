package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestCasesAreListedWithTheirTotal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	recent := b.Now.Add(-48 * time.Hour)
	for name, c := range map[string]struct {
		filter models.CourtFilter
		want   int
	}{
		"all":                       {models.CourtFilter{}, 2},
		"of a county":               {models.CourtFilter{County: new("cobb")}, 1},
		"of a status":               {models.CourtFilter{Status: new(models.PendingCase)}, 1},
		"of a kind of court":        {models.CourtFilter{CourtType: new(models.SuperiorCourt)}, 0},
		"with a known status":       {models.CourtFilter{KnownStatus: true}, 1},
		"with a number":             {models.CourtFilter{CaseNumber: new(" C1 ")}, 2},
		"with the number's start":   {models.CourtFilter{CaseNumberStart: new("C1x")}, 0},
		"of a defendant":            {models.CourtFilter{Name: new("jane")}, 2},
		"of a name that is a blank": {models.CourtFilter{Name: new(" ")}, 0},
		"changed lately":            {models.CourtFilter{UpdatedSince: &recent}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := b.Store.ListCourtCases(b.Ctx, c.filter, models.Page{Limit: 10})
			require.NoError(t, err)
			require.Equal(t, c.want, page.Total)
			require.Len(t, page.Records, c.want)
		})
	}
	_, err := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{CaseNumberStart: new("C1")}, models.Page{Limit: 10})
	requireCode(t, models.CodeInvalidParameter, err)
}

func TestCursorsLeadThroughCasesAndCorrectionsRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	first, err := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.True(t, first.PageInfo.HasNextPage)
	after, err := first.PageInfo.End()
	require.NoError(t, err)
	second, err := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{}, models.Page{Limit: 1, After: after})
	require.NoError(t, err)
	require.Equal(t, 2, second.Total)
	require.False(t, second.PageInfo.HasNextPage)
	require.NotEqual(t, first.Records[0].Key, second.Records[0].Key)

	records, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{}, models.Page{Limit: 1})
	require.NoError(t, err)
	after, err = records.PageInfo.End()
	require.NoError(t, err)
	none, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{}, models.Page{Limit: 1, After: after})
	require.NoError(t, err)
	require.Equal(t, 1, none.Total)
	require.Empty(t, none.Records)
}

func TestRecordsAreLastSeenWhenTheirSourceListsThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	later := b.Now.Add(time.Hour)
	b.Exec(t, `update sources set last_complete = $1`, later)
	b.Exec(t, `update hearings set snapshot_at = $1`, later)
	for f, want := range map[models.Family]time.Time{models.Roster: later, models.Courts: later, models.Corrections: later} {
		keys := b.keys(t, f)
		seen, err := b.Store.LastSeenOf(b.Ctx, f, keys)
		require.NoError(t, err)
		require.Len(t, seen, len(keys))
		require.Equal(t, want, seen[keys[0]], f)
	}
}

// A source's number is stored without blanks around it, and with one for several: so is the number that is asked for.
func TestANumberIsFoundHoweverItsBlanksAreWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Add(t, testdb.Case{Number: "inner two 9", Defendant: "Doe, Jane"})
	for _, number := range []string{"inner two 9", "  inner   two 9 "} {
		found, err := b.Store.CourtCasesByNumber(b.Ctx, number, nil, nil)
		require.NoError(t, err)
		require.Len(t, found, 1)
		for _, f := range []models.CourtFilter{{CaseNumber: &number}, {CaseNumberStart: &number}} {
			list, err := b.Store.ListCourtCases(b.Ctx, f, models.Page{Limit: 10})
			require.NoError(t, err)
			require.Len(t, list.Records, 1)
		}
	}
}
