package resolve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

func TestWhatStandsForANameMayRestrictTheRecord(t *testing.T) {
	t.Parallel()
	for _, says := range []string{
		"RESTRICTED", "Restricted", "SEALED", "SEALED DEFENDANT", "DEFENDANT, SEALED", "CONFIDENTIAL", "JUVENILE", "EXPUNGED", "REDACTED", "NAME WITHHELD",
		"*** SEALED ***", "Restricted, Restricted", "SEALED BY COURT ORDER", "RECORD RESTRICTED", "SEALED DEFENDANT #2", "[REDACTED]", "IDENTITY WITHHELD",
	} {
		require.True(t, resolve.StatesRestriction(says), says)
	}
	for _, name := range []string{
		"", "DOE, JOHN", "UNKNOWN", "SEAL, MARIE", "CONFIDENCE, IRIS", "JUVENILE, JOHN", "JUVENILE, J", "SEALS, RAY", "CASE, RECORD", "RECORD, EUGENE",
		"PARTY", "SEALED, ORLA", "DOE, JOHN (SEALED)", "CONFIDENTE, ANA", "WITHHELDT, PER", "ORDER, COURT", "12345", "XXXXX",
	} {
		require.False(t, resolve.StatesRestriction(name), name)
	}
}

// restrictedRow is a row of a booking under a number: at an hour, in the name of somebody.
func restrictedRow(name string, hour int) *snapshot.RosterRow {
	return &snapshot.RosterRow{Key: "K1", CountyID: 1, Name: name, BookedAt: at(0), SeenAt: at(hour), Fingerprint: []byte(name)}
}

func tellAll(rows ...*snapshot.RosterRow) resolve.BookingState {
	c := resolve.NewBooking(&resolve.Policy{ID: "jail"}, "K1", 0)
	for _, row := range rows {
		resolve.TellBooking(c, row, resolve.All, nil)
	}
	return resolve.Booking(resolve.BookingInput{Claims: []*resolve.BookingClaim{c}, Now: at(99)})
}

func TestARestrictedBookingKeepsItsNameInside(t *testing.T) {
	t.Parallel()
	named, sealed, again := restrictedRow("DOE, JOHN", 1), restrictedRow("SEALED", 2), restrictedRow("DOE, JOHN", 3)
	b := tellAll(named, sealed)
	require.Equal(t, "DOE, JOHN", b.Name)
	require.Equal(t, models.WithheldRestricted, b.Visibility.Withheld())
	b = tellAll(sealed)
	require.Equal(t, models.WithheldRestricted, b.Visibility.Withheld(), "from its first row")
	b = tellAll(sealed, again)
	require.Equal(t, "DOE, JOHN", b.Name)
	require.Equal(t, models.WithheldMaybeRestricted, b.Visibility.Withheld(), "a review decides about the person that nobody knew")
	b = tellAll(restrictedRow("SEALED", 1), restrictedRow("DOE, JOHN", 1))
	require.Equal(t, models.WithheldRestricted, b.Visibility.Withheld(), "rows of one instant")
}

// Whatever the order of rows, the same is withheld, and a record of which a row said that it is restricted is never published
// without a review.
func TestNoOrderOfRowsPublishesARestrictedRecord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var rows []*snapshot.RosterRow
		restricted, last := false, ""
		for hour := range rapid.IntRange(1, 5).Draw(r, "rows") {
			name := rapid.SampledFrom([]string{"DOE, JOHN", "SEALED"}).Draw(r, "name")
			rows, restricted, last = append(rows, restrictedRow(name, hour+1)), restricted || name == "SEALED", name
		}
		want := models.Published
		switch {
		case last == "SEALED":
			want = models.WithheldRestricted
		case restricted:
			want = models.WithheldMaybeRestricted
		}
		got := tellAll(rapid.Permutation(rows).Draw(r, "order")...)
		require.Equal(r, want, got.Visibility.Withheld())
	})
}

func TestARestrictedRowIsNobodyElse(t *testing.T) {
	t.Parallel()
	born, other := models.Date{Year: 1980, Month: time.May, Day: 1}, models.Date{Year: 1999, Month: time.June, Day: 9}
	doe := resolve.Person{Name: "DOE, JOHN", DOB: &born}
	require.True(t, resolve.Same(doe, resolve.Person{Name: "SEALED", DOB: &other}))
	require.True(t, resolve.Same(resolve.Person{Name: "SEALED"}, doe))
	require.False(t, resolve.Same(resolve.Person{Name: "SEALED", DOB: &other}, doe), "the births are of two people")
	require.False(t, resolve.Same(doe, resolve.Person{Name: "SEALEY, KEITH"}))
}
