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
	"rollcall/internal/property"
)

// rosterDocument is a small county that lists everybody in a CSV file with an end marker.
const rosterDocument = `id: %s
title: A county of a test
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: released, confirmations: %d}
decode: {format: csv, columns: [id, name, booked, bond], end_marker: "#end"}
complete: {end_marker: true, shrink: 1, min_rows: 1}
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

// text writes a snapshot as a file, with the row of one key twice when that is not empty.
func text(listed map[string]string, salt, twice string) string {
	var b strings.Builder
	b.WriteString("id,name,booked,bond\n")
	for _, key := range slices.Sorted(maps.Keys(listed)) {
		// Nobody was booked so long before a snapshot that it would be held for whoever is new in it.
		// The salt keeps the bookings of one trial from being taken for another's.
		row := fmt.Sprintf("%s,\"%s %s\",2026-02-02 1%s:00,$%s\n", key, names[key], salt, key, listed[key])
		b.WriteString(row)
		if key == twice {
			b.WriteString(row)
		}
	}
	return b.String() + "#end\n"
}

// delivery is a file as it arrives: whole, with a row twice, or cut off after some bytes.
type delivery struct {
	at   time.Time
	text string
}

// tells is what a delivery proves: the rows that are whole, and whether all of them are there. The last
// row of a file that is cut off counts for nothing, as nobody can see whether it is whole.
func (d delivery) tells(listed map[string]string) property.Snapshot {
	s := property.Snapshot{At: d.at, Complete: strings.HasSuffix(strings.TrimRight(d.text, "\n"), "\n#end"), Listed: map[string]string{}}
	lines := strings.Split(strings.TrimRight(d.text, "\n"), "\n")
	if lines[0] != "id,name,booked,bond" {
		return property.Snapshot{At: d.at}
	}
	rows := lines[1:]
	if len(rows) > 0 {
		rows = rows[:len(rows)-1] // the end marker, or what may be cut
	}
	for _, row := range rows {
		key, _, _ := strings.Cut(row, ",")
		s.Listed[key] = listed[key]
	}
	s.Complete = s.Complete && len(s.Listed) > 0 // an empty roster proves nothing
	return s
}

// TestGuarantee5AnySeriesOfSnapshotsConverges loads random series of snapshots in random order, some
// twice, some with rows twice and some cut off anywhere, and compares what the tables hold with the
// model: facts of the newest row, releases only by complete snapshots after the last sighting. Nobody is
// released whom the newest file lists.
func TestGuarantee5AnySeriesOfSnapshotsConverges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	start := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	trial := 0
	property.Check(t, 50, func(r *rapid.T) {
		trial++
		confirmations := rapid.IntRange(1, 2).Draw(r, "confirmations")
		source := rosterSource(r, fmt.Sprintf("county-%d", trial), confirmations)
		salt := strings.Repeat("X", trial%7+1) + strconv.Itoa(trial)
		var files []delivery
		var proven []property.Snapshot
		for day := range rapid.IntRange(1, 5).Draw(r, "days") {
			listed := map[string]string{}
			for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3", "4", "5"}), 0, 4, rapid.ID).Draw(r, "listed") {
				listed[key] = rapid.SampledFrom([]string{"500.00", "1000.00"}).Draw(r, "bond")
			}
			for range rapid.IntRange(1, 2).Draw(r, "times") { // the file of a day comes again, perhaps damaged
				d := delivery{start.AddDate(0, 0, day), text(listed, salt, rapid.SampledFrom([]string{"", "", "", "1"}).Draw(r, "twice"))}
				if rapid.IntRange(0, 2).Draw(r, "cut") == 0 {
					d.text = d.text[:rapid.IntRange(1, len(d.text)-1).Draw(r, "after")]
				}
				files, proven = append(files, d), append(proven, d.tells(listed))
			}
		}
		for _, i := range rapid.Permutation(indexes(len(files))).Draw(r, "order") {
			b.runSource(source, "roster.csv", files[i].text, files[i].at)
		}
		want, newest := map[string]string{}, slices.MaxFunc(files, func(x, y delivery) int { return x.at.Compare(y.at) }).at
		for key, f := range property.Model(proven, confirmations) {
			want[key] = tell(f.Tells, f.Released)
			if f.LastSeen.Equal(newest) {
				require.Nil(r, f.Released, "the newest file lists %s", key)
			}
		}
		require.Equal(r, want, held(b, source.ID))
	})
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
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
	rows, err := b.db.Pool.Query(b.Context(), `select g.key, to_char(b.bond_cents / 100.0, 'FM99990.00'), b.released_at from roster_claims g join bookings b on b.rid = g.record where g.source_id = $1`, source)
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
