package fingerprint_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/fingerprint"
	"rollcall/models"
	"rollcall/models/snapshot"
)

func booking() *snapshot.RosterRow {
	bond := int64(150_000)
	return &snapshot.RosterRow{
		Key: "2026-1", CountyID: 60, Name: "DOE, JANE", BookedAt: time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC), BondCents: &bond,
		Charges: []snapshot.Charge{{Description: "THEFT BY TAKING"}},
	}
}

func TestAFactChangesTheFingerprintOfABooking(t *testing.T) {
	t.Parallel()
	var m fingerprint.Maker
	was := m.Roster(booking())
	require.Len(t, was, 16)
	require.Equal(t, was, m.Roster(booking()), "the buffer of the row before leaves nothing behind")
	dollars, day := int64(100), models.Date{Year: 1990, Month: 1, Day: 2}
	for name, change := range map[string]func(*snapshot.RosterRow){
		"name":             func(r *snapshot.RosterRow) { r.Name = "DOE, JOHN" },
		"county":           func(r *snapshot.RosterRow) { r.CountyID++ },
		"birth date":       func(r *snapshot.RosterRow) { r.DOB = &day },
		"release":          func(r *snapshot.RosterRow) { r.ReleasedAt = &r.BookedAt },
		"planned release":  func(r *snapshot.RosterRow) { r.PlannedRelease = &r.BookedAt },
		"bond":             func(r *snapshot.RosterRow) { r.BondCents = &dollars },
		"no bond":          func(r *snapshot.RosterRow) { r.BondCents = nil },
		"unread bond":      func(r *snapshot.RosterRow) { r.BondUnread = true },
		"withheld":         func(r *snapshot.RosterRow) { r.Withheld = "juvenile" },
		"one more charge":  func(r *snapshot.RosterRow) { r.Charges = append(r.Charges, snapshot.Charge{}) },
		"person":           func(r *snapshot.RosterRow) { r.PersonKey = "P1" },
		"number":           func(r *snapshot.RosterRow) { r.Number = "K1" },
		"text moved along": func(r *snapshot.RosterRow) { r.PersonKey, r.Key = r.Key, r.PersonKey },
	} {
		r := booking()
		change(r)
		require.NotEqual(t, was, m.Roster(r), name)
	}
}

func TestWhatDiffersFromRunToRunIsNotInTheFingerprint(t *testing.T) {
	t.Parallel()
	var m fingerprint.Maker
	a, b := booking(), booking()
	b.Line, b.SeenAt = 7, time.Now()
	require.Equal(t, m.Roster(a), m.Roster(b))
	a.ReleaseInferred, a.ReleasedAt = true, &a.BookedAt
	b.ReleaseInferred, b.ReleasedAt = true, &b.SeenAt
	require.Equal(t, m.Roster(a), m.Roster(b), "an inferred release has the time of its run")
}

func TestAFactChangesTheFingerprintOfOtherRecords(t *testing.T) {
	t.Parallel()
	var m fingerprint.Maker
	hearing := func(room string) *snapshot.CourtRow {
		return &snapshot.CourtRow{Hearings: []snapshot.HearingFacts{{Location: room}}}
	}
	require.NotEqual(t, m.Court(hearing("1A")), m.Court(hearing("1B")))
	require.NotEqual(t, m.Corrections(&snapshot.CorrectionsRow{GDCID: "1"}), m.Corrections(&snapshot.CorrectionsRow{GDCID: "1", Status: "released"}))
}
