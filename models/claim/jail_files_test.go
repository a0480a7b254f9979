package claim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// Two people of these tests.
const orla, tolliver = "MOONSAIL, ORLA", "BRACKENRIDGE, TOLLIVER"

// jailFiles is a database with two sources of one jail: a list of everybody, and what changed. Times are hours since the first
// day.
type jailFiles struct {
	*records
	t      *testing.T
	county int16
	begin  time.Time
}

// The sources of jailFiles.
const lists, changed = "lists", "changed"

func withJailFiles(t *testing.T) *jailFiles {
	t.Helper()
	b := withRecords(t)
	c, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	b.roster(t, lists)
	b.changing(t, changed)
	return &jailFiles{b, t, c.ID, time.Date(2026, 3, 1, 15, 0, 0, 0, time.UTC)}
}

func (j *jailFiles) at(hours int) time.Time { return j.begin.Add(time.Duration(hours) * time.Hour) }

// row reports a booking; released 0: it says nothing of a release.
func (j *jailFiles) row(key, name string, booked, released int, bond int64) snapshot.RosterRow {
	r := snapshot.RosterRow{
		Key: key, CountyID: j.county, Name: name, BookedAt: j.at(booked), BondCents: &bond,
		Fingerprint: fmt.Append(nil, key, name, booked, released, bond),
	}
	if released != 0 {
		r.ReleasedAt = new(j.at(released))
	}
	return r
}

// out is a release that names only a key.
func (j *jailFiles) out(key string, released int) snapshot.RosterRow {
	at := j.at(released)
	return snapshot.RosterRow{Key: key, KeyOnly: true, ReleasedAt: &at, Fingerprint: fmt.Append(nil, key, at)}
}

// reads applies one file of a source.
func (j *jailFiles) reads(source string, hour int, rows ...snapshot.RosterRow) snapshot.Applied {
	j.t.Helper()
	list := source == lists
	rec := j.Reconciler(j.t, source, j.at(hour), list)
	rec.Tracks, rec.Releases = list, list
	file := make([]*snapshot.RosterRow, len(rows))
	for i := range rows {
		r := rows[i]
		r.SeenAt, r.Changes, r.Line = j.at(hour), !list && !r.KeyOnly, int64(i+1)
		file[i] = &r
	}
	applied, _, err := j.Store.ReconcileRoster(j.Ctx, rec, modelstest.Each(file))
	require.NoError(j.t, err)
	return applied
}

// bookings is each booking: name, hour of booking, status, hour of release and bond.
func (j *jailFiles) bookings() (s string) {
	require.NoError(j.t, j.Pool.QueryRow(j.Ctx, `
select coalesce(string_agg(concat_ws(' ', name, extract(epoch from booked_at - $1)::bigint / 3600, status,
    extract(epoch from released_at - $1)::bigint / 3600, bond_cents), '; ' order by booked_at, rid), '')
from bookings
where merged_into is null`, j.begin).Scan(&s))
	return s
}
