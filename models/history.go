package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// RecordChange is one change of a published fact of a record, as callers may see it.
type RecordChange struct {
	At       time.Time // UTC, when the run began that brought it
	SourceID string    // who said so
	Field    string    // as GraphQL calls it
	Before   *string   // as GraphQL writes it; nil: not known or not set
	After    *string
}

// version is a row of record_changes: a fact as it was before and after a run.
type version struct {
	at            time.Time
	source        string
	field         string // the column, or "hearing" and the court's number of it
	before, after *string
}

// withheldField is the fact whether a record is published at all; it is never shown itself.
const withheldField = "withheld"

// publishedSQL tells, by family, whether the record of a version row is published.
var publishedSQL = map[Family]string{
	Roster:      `exists (select from bookings r where r.rid = v.record and r.withheld is null)`,
	Courts:      `exists (select from court_cases r where r.id = v.record and r.withheld is null)`,
	Corrections: `exists (select from corrections_records r where r.cid = v.record and r.withheld is null)`,
}

// versionsOf gives the version rows of published records by key, in the order in which they were committed.
func (s *Store) versionsOf(ctx context.Context, f Family, keys []int64) (map[int64][]version, error) {
	rows, err := s.pool.Query(ctx, `select v.record, v.at, v.source_id, v.field, v.before, v.after from record_changes v
 where v.family = $1 and v.record = any($2) and `+publishedSQL[f]+` order by v.record, v.id`, f, keys)
	if err != nil {
		return nil, fmt.Errorf("read versions of %s: %w", f, err)
	}
	out := make(map[int64][]version, len(keys))
	var (
		key int64
		v   version
	)
	_, err = pgx.ForEachRow(rows, []any{&key, &v.at, &v.source, &v.field, &v.before, &v.after}, func() error {
		v.at = v.at.UTC()
		out[key] = append(out[key], v)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read versions of %s: %w", f, err)
	}
	return out, nil
}

// HistoryOf gives the changes of published records of a family by key, oldest first. What a record
// was while it was withheld is not told: only how it differs from when it was published last.
func (s *Store) HistoryOf(ctx context.Context, f Family, keys []int64) (map[int64][]*RecordChange, error) {
	versions, err := s.versionsOf(ctx, f, keys)
	if err != nil {
		return nil, err
	}
	out := make(map[int64][]*RecordChange, len(versions))
	for key, list := range versions {
		for _, v := range publicVersions(list) {
			c, ok, err := present(f, v)
			if err != nil {
				return nil, fmt.Errorf("read version of %s %d: %w", f, key, err)
			}
			if ok {
				out[key] = append(out[key], c)
			}
		}
	}
	return out, nil
}

// publicVersions gives the versions between states of a record that were published. Versions of one
// run belong together: a run that publishes a record again shows the net difference from what was
// published before, and a record that was withheld from the start begins when it is published.
func publicVersions(all []version) []version {
	hidden := withheldAtFirst(all)
	known := !hidden // whether some state was ever published
	var (
		out     []version
		pending []version // one a field, of what happened while nothing was published
	)
	for len(all) > 0 {
		run := all[:runLength(all)]
		all = all[len(run):]
		after := hidden
		for _, v := range run {
			if v.field == withheldField {
				after = v.after != nil
			}
		}
		if !hidden && !after {
			out = append(out, run...)
			continue
		}
		for _, v := range run {
			pending = overlay(pending, v)
		}
		if hidden = after; hidden {
			continue
		}
		for _, v := range pending {
			if known && !sameText(v.before, v.after) {
				v.at, v.source = run[0].at, run[0].source
				out = append(out, v)
			}
		}
		known, pending = true, nil
	}
	return out
}

// withheldAtFirst tells whether a record was withheld before its first version.
func withheldAtFirst(all []version) bool {
	for _, v := range all {
		if v.field == withheldField {
			return v.before != nil
		}
	}
	return false
}

// runLength is the number of versions at the start of the list that one run wrote.
func runLength(list []version) int {
	n := 1
	for n < len(list) && list[n].at.Equal(list[0].at) && list[n].source == list[0].source {
		n++
	}
	return n
}

// overlay lays a version over earlier ones of its field.
func overlay(list []version, v version) []version {
	for i := range list {
		if list[i].field == v.field {
			list[i].after = v.after
			return list
		}
	}
	return append(list, v)
}

func sameText(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
