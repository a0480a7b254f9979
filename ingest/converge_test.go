package ingest_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/ingest"
	"rollcall/ingest/reconcile"
)

// rosterDocument is a small county that lists everybody in a CSV file with an end marker.
const rosterDocument = `id: %s
title: A county of a test
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: released, confirmations: %d}
decode: {format: csv, columns: [id, name, booked, bond], end_marker: "#end"}
complete: {end_marker: true, shrink: 1}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}, bond: bond}
  person: {name: name}
identity: {booking: [{of: [booking.number], strength: source}]}
`

func rosterSource(t require.TestingT, id string, confirmations int) *ingest.Source {
	s, err := ingest.Parse(fmt.Appendf(nil, rosterDocument, id, confirmations))
	require.NoError(t, err)
	return s
}

// names are invented and far from each other.
var names = map[string]string{
	"1": "QUILLFEATHER, MARLOWE", "2": "O'BRANNIGAN, WREN", "3": "MOONSAIL, ORLA", "4": "THISTLEDOWN, PIP", "5": "BRACKENRIDGE, TOLLIVER",
}

// text writes a snapshot as a file; one that is not complete lacks its end.
func text(s reconcile.Snapshot, salt string) string {
	var b strings.Builder
	b.WriteString("id,name,booked,bond\n")
	for _, key := range slices.Sorted(maps.Keys(s.Listed)) {
		// The salt keeps the bookings of one trial from being taken for another's.
		fmt.Fprintf(&b, "%s,\"%s %s\",2026-01-0%s 10:00,$%s\n", key, names[key], salt, key, s.Listed[key])
	}
	if s.Complete {
		b.WriteString("#end\n")
	}
	return b.String()
}

// TestAnySeriesOfSnapshotsConverges loads random series of snapshots in random order, some twice and
// some truncated, and compares what the tables hold with the model: facts of the newest row, releases
// only by complete snapshots after the last sighting, nobody released who is still listed.
func TestAnySeriesOfSnapshotsConverges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	start := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	trial := 0
	rapid.Check(t, func(r *rapid.T) {
		trial++
		confirmations := rapid.IntRange(1, 2).Draw(r, "confirmations")
		source := rosterSource(r, fmt.Sprintf("county-%d", trial), confirmations)
		var series []reconcile.Snapshot
		for day := range rapid.IntRange(1, 5).Draw(r, "days") {
			s := reconcile.Snapshot{At: start.AddDate(0, 0, day), Complete: rapid.IntRange(0, 3).Draw(r, "whole") > 0, Listed: map[string]string{}}
			for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3", "4", "5"}), 0, 4, rapid.ID).Draw(r, "listed") {
				s.Listed[key] = rapid.SampledFrom([]string{"500.00", "1000.00"}).Draw(r, "bond")
			}
			if len(s.Listed) == 0 { // an empty roster proves nothing
				s.Complete = false
			}
			series = append(series, s)
		}
		loaded := slices.Clone(series)
		for range rapid.IntRange(0, 2).Draw(r, "again") {
			loaded = append(loaded, rapid.SampledFrom(series).Draw(r, "repeated"))
		}
		loaded = rapid.Permutation(loaded).Draw(r, "order")
		salt := strings.Repeat("X", trial%7+1) + strconv.Itoa(trial)
		for _, s := range loaded {
			b.runSource(source, "roster.csv", text(s, salt), s.At)
		}
		want := map[string]string{}
		for key, f := range reconcile.Model(series, confirmations) {
			want[key] = tell(f.Tells, f.Released)
		}
		require.Equal(r, want, held(b, source.ID))
	})
}

func tell(bond string, released *time.Time) string {
	if released == nil {
		return bond + " booked"
	}
	return bond + " released " + released.UTC().Format("2006-01-02")
}

// held is what the tables hold of a source, by key.
func held(b *bundle, source string) map[string]string {
	b.Helper()
	rows, err := b.db.Pool.Query(b.Context(), `select g.booking_key, to_char(b.bond_cents / 100.0, 'FM99990.00'), b.released_at from sightings g join bookings b using (rid) where g.source_id = $1`, source)
	require.NoError(b, err)
	defer rows.Close()
	facts := map[string]string{}
	for rows.Next() {
		var key, bond string
		var released *time.Time
		require.NoError(b, rows.Scan(&key, &bond, &released))
		facts[key] = tell(bond, released)
	}
	require.NoError(b, rows.Err())
	return facts
}
