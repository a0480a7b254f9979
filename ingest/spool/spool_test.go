package spool

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
)

func TestRowsThatDoNotFitIntoMemoryKeepTheirOrder(t *testing.T) {
	t.Parallel()
	left := 3
	dir := t.TempDir()
	one, other := New(dir, 1, &left), New(dir, 2, &left)
	booked := time.Date(2026, 3, 1, 2, 30, 0, 0, models.Georgia)
	cents := int64(50000)
	var want []*snapshot.RosterRow
	for i := range 8 {
		row := &snapshot.RosterRow{Key: string(rune('A' + i)), CountyID: 1, BookedAt: booked, SeenAt: booked.UTC(), DOB: &models.Date{Year: 1990, Month: 1, Day: 2}, BondCents: &cents, Fingerprint: []byte{0, 255, byte(i)}}
		want = append(want, row)
		require.NoError(t, one.Add(row))
		require.NoError(t, other.Add(&snapshot.RosterRow{Key: "other"}))
	}
	var got []string
	require.NoError(t, one.Push(To{Roster: func(row *snapshot.RosterRow) error {
		known := want[len(got)]
		require.True(t, known.BookedAt.Equal(row.BookedAt))
		require.Equal(t, []any{known.DOB, known.BondCents, known.Fingerprint}, []any{row.DOB, row.BondCents, row.Fingerprint})
		got = append(got, row.Key)
		return nil
	}}))
	require.Equal(t, []string{"A", "B", "C", "D", "E", "F", "G", "H"}, got)
	other.Close()
	require.Zero(t, left)
	require.NoFileExists(t, one.path)
	require.NoFileExists(t, other.path)
}
