package record

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/history"
)

// lifetime is a record since rollcall first knew it, by rollcall's own clock.
type lifetime struct {
	since time.Time
	// versions are in the order in which they were committed.
	versions []models.FactVersion
}

// lifetimesOf returns the lifetimes of published records by key. A record that is withheld now has none.
func (s *Store) lifetimesOf(ctx context.Context, f models.Family, keys []int64) (map[int64]*lifetime, error) {
	var rows []struct {
		OfKey int64
		Since time.Time `gorm:"serializer:utc"`
		// Changed is false in the one row of a record that never changed.
		Changed            bool
		models.FactVersion // zero where Changed is false
	}
	if err := s.find(ctx, f, "lifetimes", pgx.StrictNamedArgs{"keys": keys}, &rows); err != nil {
		return nil, fmt.Errorf("read versions of %s: %w", f, err)
	}
	out := make(map[int64]*lifetime, len(keys))
	for _, r := range rows {
		if out[r.OfKey] == nil {
			out[r.OfKey] = &lifetime{since: r.Since}
		}
		if r.Changed {
			out[r.OfKey].versions = append(out[r.OfKey].versions, r.FactVersion)
		}
	}
	return out, nil
}

// told is whose versions are read: those of a record by key, or of the record with the id from that was
// merged into it.
type told struct {
	key  int64
	from string
}

// HistoryOf returns the changes of published records of a family by key, oldest first, with those of the
// records that were merged into them. What a record was while it was withheld is never shown: only how it
// differs from when it was published last (docs/architecture.md, "History").
func (s *Store) HistoryOf(ctx context.Context, f models.Family, keys []int64) (map[int64][]*models.RecordChange, error) {
	var rows []struct {
		OfKey      int64
		MergedFrom string
		models.FactVersion
	}
	if err := s.find(ctx, f, "history", pgx.StrictNamedArgs{"keys": keys}, &rows); err != nil {
		return nil, fmt.Errorf("read history of %s: %w", f, err)
	}
	versions := make(map[told][]models.FactVersion, len(keys))
	for _, r := range rows {
		of := told{r.OfKey, r.MergedFrom}
		versions[of] = append(versions[of], r.FactVersion)
	}
	return historyOf(f, versions)
}

// historyOf converts versions to what callers see. Versions of internal fields are left out.
func historyOf(f models.Family, versions map[told][]models.FactVersion) (map[int64][]*models.RecordChange, error) {
	out := make(map[int64][]*models.RecordChange, len(versions))
	for _, of := range slices.SortedFunc(maps.Keys(versions), func(a, b told) int { return cmp.Or(cmp.Compare(a.key, b.key), strings.Compare(a.from, b.from)) }) {
		for _, v := range publicVersions(versions[of]) {
			c, ok, err := history.Present(f, v)
			if err != nil {
				return nil, fmt.Errorf("read version of %s %d: %w", f, of.key, err)
			}
			if !ok {
				continue
			}
			if of.from != "" {
				c.MergedFrom = &of.from
			}
			out[of.key] = append(out[of.key], c)
		}
		if of.from != "" {
			slices.SortStableFunc(out[of.key], func(a, b *models.RecordChange) int { return a.At.Compare(b.At) })
		}
	}
	return out, nil
}

// publicVersions returns the versions between states of a record that were published. Versions of one run
// belong together: a run that publishes a record again shows the net difference from what was published
// before. A record that was withheld from the start begins when it is published. A mistake here would show
// what a record said while it was a juvenile's.
func publicVersions(all []models.FactVersion) []models.FactVersion {
	shown := beginning(all)
	// hidden is whether the state before the present run was withheld or merged.
	hidden := shown.hidden()
	known := !hidden // whether some state was ever published
	var (
		out     []models.FactVersion
		pending []models.FactVersion // one a field, of what happened while nothing was published
	)
	for len(all) > 0 {
		run := all[:runLength(all)]
		all = all[len(run):]
		for _, v := range run {
			shown.apply(v)
		}
		after := shown.hidden()
		// Published before and after: callers could read both states.
		if !hidden && !after {
			out = append(out, run...)
			continue
		}
		// One of the two was not published, so only the net difference between published states may be shown.
		for _, v := range run {
			pending = overlay(pending, v)
		}
		if hidden = after; hidden {
			continue
		}
		// The record is published again. What changed and changed back meanwhile leaves no trace. The
		// versions get the instant of the run that published it: earlier ones were never readable.
		for _, v := range pending {
			if known && !sameText(v.Before, v.After) {
				v.At, v.Source = run[0].At, run[0].Source
				out = append(out, v)
			}
		}
		known, pending = true, nil
	}
	return out
}

// concealment is what keeps a record from being shown under its own id at some version: it is withheld, or is
// merged into another record.
type concealment struct{ withheld, merged bool }

// hidden reports whether either keeps the record from being shown.
func (c *concealment) hidden() bool { return c.withheld || c.merged }

// apply takes a version over. Versions of other fields change nothing.
func (c *concealment) apply(v models.FactVersion) {
	switch v.Field {
	case models.WithheldField:
		c.withheld = v.After != nil
	case models.MergedIntoField:
		c.merged = v.After != nil
	}
}

// beginning is how a record was before its first version, by the earliest version of its visibility. No
// record begins as a merged one.
func beginning(all []models.FactVersion) (c concealment) {
	for _, v := range all {
		if v.Field == models.WithheldField {
			c.withheld = v.Before != nil
			break
		}
	}
	return c
}

// runLength returns the number of versions at the start of the list that one run wrote: those of one instant
// and source.
func runLength(list []models.FactVersion) int {
	n := 1
	for n < len(list) && list[n].At.Equal(list[0].At) && list[n].Source == list[0].Source {
		n++
	}
	return n
}

// overlay merges a version into the earlier one of its field, so that the list holds one net difference a
// field.
func overlay(list []models.FactVersion, v models.FactVersion) []models.FactVersion {
	for i := range list {
		if list[i].Field == v.Field {
			list[i].After = v.After
			return list
		}
	}
	return append(list, v)
}

// sameText reports whether two texts are equal or both nil.
func sameText(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
