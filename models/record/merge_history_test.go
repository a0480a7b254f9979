package record_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// TestWhatABookingWasBeforeItsMergeCanBeReadByEitherId tells of three bookings hour by hour; the first is
// merged into the second, and that into the third.
func TestWhatABookingWasBeforeItsMergeCanBeReadByEitherId(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	tell := func(hour int, rows ...*snapshot.RosterRow) {
		for _, r := range rows {
			r.CountyID, r.SeenAt, r.Line, r.Fingerprint = fulton.ID, at(hour), 1, fmt.Append(nil, hour, r.Key)
			r.BookedAt = time.Date(2026, 2, int(r.Key[0]-'a')+1, 0, 0, 0, 0, time.UTC) // ids follow booking times
		}
		_, _, err := b.Store.ReconcileRoster(b.Ctx, b.Reconciler(t, "jail", at(hour), false), modelstest.Each(rows))
		require.NoError(t, err)
	}
	merge := func(hour int, kept, gone string) {
		b.Now = at(hour)
		require.NoError(t, b.Store.MergeBookings(b.Ctx, kept, gone))
	}
	theft := func(statute string) []snapshot.Charge {
		return []snapshot.Charge{{Description: "THEFT", Statute: statute}}
	}
	tell(0, &snapshot.RosterRow{Key: "a", Name: "ROE, RAY", Charges: theft("16-8-2")})
	tell(1, &snapshot.RosterRow{Key: "a", Name: "ROE, RAYMOND", Charges: theft("16-8-3")}, &snapshot.RosterRow{Key: "b", Name: "ROE, RAY B"})
	tell(2, &snapshot.RosterRow{Key: "b", Name: "ROE, RAY BOB"}, &snapshot.RosterRow{Key: "c", Name: "ROE, RAY C"})
	id := map[string]string{}
	for _, key := range []string{"a", "b", "c"} {
		var found string
		require.NoError(t, b.Pool.QueryRow(b.Ctx, `select k.id from bookings k join roster_claims g on g.record = k.rid where g.stay = 0 and g.key = $1`, key).Scan(&found))
		id[key] = found
	}
	merge(3, id["b"], id["a"])
	merge(5, id["c"], id["b"])

	for _, c := range []struct {
		hour       int
		a, b, c    string // names that each id said then; empty: not known then
		aID, bID   string
		aStatute   string
		aFirstSeen int
	}{
		{hour: 0, a: "ROE, RAY", aID: "a", aStatute: "16-8-2"},
		{hour: 1, a: "ROE, RAYMOND", aID: "a", aStatute: "16-8-3", b: "ROE, RAY B", bID: "b"},
		{hour: 2, a: "ROE, RAYMOND", aID: "a", aStatute: "16-8-3", b: "ROE, RAY BOB", bID: "b", c: "ROE, RAY C"},
		{hour: 4, a: "ROE, RAY BOB", aID: "b", b: "ROE, RAY BOB", bID: "b", c: "ROE, RAY C"},
		{hour: 6, a: "ROE, RAY C", aID: "c", b: "ROE, RAY C", bID: "c", c: "ROE, RAY C"},
	} {
		for key, want := range map[string][2]string{"a": {c.a, c.aID}, "b": {c.b, c.bID}, "c": {c.c, "c"}} {
			k, err := b.Store.BookingAsOf(b.Ctx, id[key], at(c.hour))
			if want[0] == "" {
				require.Equal(t, models.CodeNotFound, models.CodeOf(err), "%s at %d", key, c.hour)
				continue
			}
			require.NoError(t, err, "%s at %d", key, c.hour)
			require.Equal(t, want[0], k.Name, "%s at %d", key, c.hour)
			require.Equal(t, id[want[1]], k.ID, "%s at %d", key, c.hour)
			require.False(t, k.FirstSeen.After(at(c.hour)))
			if key == "a" && c.aStatute != "" {
				details := k.PastCharges
				require.Len(t, details, 1)
				require.Equal(t, c.aStatute, *details[0].Statute)
			}
		}
	}
	changes := b.History(t, models.Roster, id["c"])
	var lines []string
	for _, c := range changes {
		lines = append(lines, fmt.Sprint(c.At.Hour(), " ", modelstest.Deref(c.MergedFrom), " ", c.Field, ": ", modelstest.Deref(c.Before), " -> ", modelstest.Deref(c.After)))
	}
	require.Equal(t, []string{
		"1 " + id["a"] + " name: ROE, RAY -> ROE, RAYMOND",
		"1 " + id["a"] + ` chargeDetails: [{"description":"THEFT","statute":"16-8-2"}] -> [{"description":"THEFT","statute":"16-8-3"}]`,
		"2 " + id["b"] + " name: ROE, RAY B -> ROE, RAY BOB",
		"3 " + id["b"] + " merged: - -> " + id["a"],
		"5 - merged: - -> " + id["b"],
	}, lines)

	b.Exec(t, `update bookings set withheld = 'juvenile' where id = '`+id["c"]+`'`)
	for _, key := range []string{"a", "b", "c"} {
		_, err := b.Store.BookingAsOf(b.Ctx, id[key], at(2))
		require.Equal(t, models.CodeNotFound, models.CodeOf(err), "what is withheld now has no past under any id")
	}
	require.Empty(t, b.History(t, models.Roster, id["c"]))
}

func TestWhatACorrectionsRecordWasBeforeItsMergeCanBeReadByEitherId(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	for hour, institution := range []string{"LEE", "HAYS"} {
		kept, gone := modelstest.Offender("MACON", "incarcerated", "", at(hour)), modelstest.Offender(institution, "incarcerated", "", at(hour))
		gone.GDCID = "1000999"
		rows := []*snapshot.CorrectionsRow{gone, kept}[:1+hour]
		_, _, err := b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", at(hour), false), modelstest.Each(rows))
		require.NoError(t, err)
	}
	b.Now = at(2)
	require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000412", "1000999"))
	for hour, want := range []string{"1000999 LEE", "1000999 HAYS", "1000412 MACON"} {
		o, err := b.Store.CorrectionsAsOf(b.Ctx, "1000999", at(hour))
		require.NoError(t, err)
		require.Equal(t, want, o.GdcID+" "+*o.Institution)
	}
	_, err := b.Store.CorrectionsAsOf(b.Ctx, "1000412", at(0))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "it was not known under this id then")
	require.Equal(t, []string{"institution: LEE -> HAYS", "merged: - -> 1000999"}, modelstest.Lines(b.History(t, models.Corrections, "1000412")))
	page, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{GdcID: new("1000999")}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, page.Total)
	require.Equal(t, "1000412", page.Records[0].GdcID)
	status := models.Paroled
	page, err = b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{GdcID: new("1000999"), Status: &status}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Zero(t, page.Total, "other filters hold for the one that stayed")
}

func TestWhatACaseWasBeforeItsMergeCanBeReadByEitherNumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	row := func(number string, day int, outcome string) *snapshot.CourtRow {
		return &snapshot.CourtRow{
			CaseKey: snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: number, Party: "1"}, Whole: true, SeenAt: at(0), Line: 1, Fingerprint: []byte(number),
			Case:         &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT " + number, Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending"},
			Hearings:     []snapshot.HearingFacts{{Event: number, Date: models.Date{Year: 2026, Month: 4, Day: day}, Time: "09:30", StartsAt: time.Date(2026, 4, day, 9, 30, 0, 0, models.Georgia)}},
			Dispositions: []snapshot.DispositionFacts{{Seq: 1, Date: models.Date{Year: 2026, Month: 2, Day: day}, Outcome: outcome}},
		}
	}
	_, _, err = b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", at(0), false), modelstest.Each([]*snapshot.CourtRow{row("A", 1, "PLEA"), row("B", 2, "DISMISSED")}))
	require.NoError(t, err)
	facts := func(number string, asOf *time.Time) string {
		found, err := b.Store.CourtCasesByNumber(b.Ctx, number, nil, asOf)
		require.NoError(t, err)
		require.Len(t, found, 1)
		return found[0].CaseNumber + " " + b.calendarFacts(t, found[0], at(0))
	}
	first := map[string]string{"A": facts("A", nil), "B": facts("B", nil)}
	kept, err := b.Store.CourtCasesByNumber(b.Ctx, "A", nil, nil)
	require.NoError(t, err)
	gone, err := b.Store.CourtCasesByNumber(b.Ctx, "B", nil, nil)
	require.NoError(t, err)
	b.Now = at(2)
	require.NoError(t, b.Store.MergeCases(b.Ctx, kept[0].ID(), gone[0].ID()))
	merged := facts("A", nil)
	require.Contains(t, merged, "DISMISSED")
	require.Equal(t, merged, facts("B", nil), "the number that went gives the case that stayed")
	for _, number := range []string{"A", "B"} {
		before, after := at(1), at(3)
		require.Equal(t, first[number], facts(number, &before))
		require.Equal(t, merged, facts(number, &after))
	}
	require.Equal(t, []string{
		"hearings: - -> 2026-04-02T09:30:00-04:00",
		`dispositions: [{"date" : "2026-02-01", "outcome" : "PLEA", "sentence" : null}] -> [{"date" : "2026-02-01", "outcome" : "PLEA", "sentence" : null}, {"date" : "2026-02-02", "outcome" : "DISMISSED", "sentence" : null}]`,
		"merged: - -> " + gone[0].ID(),
	}, modelstest.Lines(b.History(t, models.Courts, "A")))
}
