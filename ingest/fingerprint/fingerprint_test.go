package fingerprint_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/fingerprint"
	"rollcall/models"
)

func booking() *models.RosterRow {
	bond := int64(150_000)
	return &models.RosterRow{
		Key: "2026-1", CountyID: 60, Name: "DOE, JANE", BookedAt: time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC), BondCents: &bond,
		Charges: []models.Charge{{Description: "THEFT BY TAKING"}},
	}
}

func TestAFactChangesTheFingerprintOfABooking(t *testing.T) {
	t.Parallel()
	var m fingerprint.Maker
	was := m.Roster(booking())
	require.Len(t, was, 16)
	require.Equal(t, was, m.Roster(booking()), "the buffer of the row before leaves nothing behind")
	dollars, day := int64(100), models.Date{Year: 1990, Month: 1, Day: 2}
	for name, change := range map[string]func(*models.RosterRow){
		"name":             func(r *models.RosterRow) { r.Name = "DOE, JOHN" },
		"county":           func(r *models.RosterRow) { r.CountyID++ },
		"birth date":       func(r *models.RosterRow) { r.DOB = &day },
		"release":          func(r *models.RosterRow) { r.ReleasedAt = &r.BookedAt },
		"planned release":  func(r *models.RosterRow) { r.PlannedRelease = &r.BookedAt },
		"bond":             func(r *models.RosterRow) { r.BondCents = &dollars },
		"no bond":          func(r *models.RosterRow) { r.BondCents = nil },
		"unread bond":      func(r *models.RosterRow) { r.BondUnread = true },
		"withheld":         func(r *models.RosterRow) { r.Withheld = "juvenile" },
		"one more charge":  func(r *models.RosterRow) { r.Charges = append(r.Charges, models.Charge{}) },
		"text moved along": func(r *models.RosterRow) { r.PersonKey, r.Key = r.Key, r.PersonKey },
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
	hearing := func(room string) *models.CourtRow {
		return &models.CourtRow{Hearings: []models.HearingFacts{{Location: room}}}
	}
	require.NotEqual(t, m.Court(hearing("1A")), m.Court(hearing("1B")))
	require.NotEqual(t, m.Corrections(&models.CorrectionsRow{GDCID: "1"}), m.Corrections(&models.CorrectionsRow{GDCID: "1", Status: "released"}))
}
