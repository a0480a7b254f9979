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
	"rollcall/models/db"
)

// isPublished tells whether a record r of a family is published, or was merged into one that is.
func isPublished(f models.Family) string {
	t := db.RecordTables[f]
	return strings.NewReplacer("{table}", t.Name, "{key}", t.Key, "{family}", string(f)).Replace(`(r.withheld is null or r.withheld = '` + models.Merged + `' and exists (
 select from merged_records p join {table} k on k.{key} = p.record where p.family = '{family}' and p.gone = r.{key} and k.withheld is null))`)
}

// publishedSQL tells whether the record of a version row v is published, or was merged into one that is.
func publishedSQL(f models.Family) string {
	t := db.RecordTables[f]
	return `exists (select from ` + t.Name + ` r where r.` + t.Key + ` = v.record and ` + isPublished(f) + `)`
}

// lifetime is a record since rollcall first knew it, by rollcall's own clock.
type lifetime struct {
	since    time.Time
	versions []models.FactVersion // in the order in which they were committed
}

// lifetimesOf gives the lifetimes of published records by key.
func (s *Store) lifetimesOf(ctx context.Context, f models.Family, keys []int64) (map[int64]*lifetime, error) {
	t := db.RecordTables[f]
	rows, err := s.Pool().Query(ctx, `select r.`+t.Key+`, coalesce(r.known_at, r.first_seen), v.at, v.source_id, v.field, v.before, v.after from `+t.Name+` r
 left join record_changes v on v.family = $1 and v.record = r.`+t.Key+` where r.`+t.Key+` = any($2) and `+isPublished(f)+` order by 1, v.id`, f, keys)
	if err != nil {
		return nil, fmt.Errorf("read versions of %s: %w", f, err)
	}
	out := make(map[int64]*lifetime, len(keys))
	var (
		key           int64
		since         time.Time
		at            *time.Time
		source, field *string
		v             models.FactVersion
	)
	_, err = pgx.ForEachRow(rows, []any{&key, &since, &at, &source, &field, &v.Before, &v.After}, func() error {
		if out[key] == nil {
			out[key] = &lifetime{since: since.UTC()}
		}
		if at != nil { // else it never changed
			v.At, v.Source, v.Field = at.UTC(), *source, *field
			out[key].versions = append(out[key].versions, v)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read versions of %s: %w", f, err)
	}
	return out, nil
}

// told is whose versions are read: of a record by key, under the id that was merged into it, if any.
type told struct {
	key  int64
	from string
}

// HistoryOf gives the changes of published records of a family by key, oldest first, with those of the
// records that were merged into them. What a record was while it was withheld is not told: only how it
// differs from when it was published last.
func (s *Store) HistoryOf(ctx context.Context, f models.Family, keys []int64) (map[int64][]*models.RecordChange, error) {
	t := db.RecordTables[f]
	rows, err := s.Pool().Query(ctx, `with whole as (
  select key, key as record, '' as id from unnest($2::bigint[]) key
  union all
  select m.record, m.gone, m.id from merged_records m join `+t.Name+` g on g.`+t.Key+` = m.gone and g.withheld = '`+models.Merged+`' where m.family = $1 and m.record = any($2))
 select w.key, w.id, v.at, v.source_id, v.field, v.before, v.after from whole w join record_changes v on v.family = $1 and v.record = w.record
 where `+publishedSQL(f)+` order by w.key, w.id, v.id`, f, keys)
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", f, err)
	}
	versions := make(map[told][]models.FactVersion, len(keys))
	var (
		of told
		v  models.FactVersion
	)
	_, err = pgx.ForEachRow(rows, []any{&of.key, &of.from, &v.At, &v.Source, &v.Field, &v.Before, &v.After}, func() error {
		v.At = v.At.UTC()
		versions[of] = append(versions[of], v)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read history of %s: %w", f, err)
	}
	return historyOf(f, versions)
}

// historyOf writes versions as callers see them.
func historyOf(f models.Family, versions map[told][]models.FactVersion) (map[int64][]*models.RecordChange, error) {
	out := make(map[int64][]*models.RecordChange, len(versions))
	for _, of := range slices.SortedFunc(maps.Keys(versions), func(a, b told) int { return cmp.Or(cmp.Compare(a.key, b.key), strings.Compare(a.from, b.from)) }) {
		for _, v := range publicVersions(versions[of]) {
			c, ok, err := models.Present(f, v)
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

// publicVersions gives the versions between states of a record that were published. Versions of one
// run belong together: a run that publishes a record again shows the net difference from what was
// published before, and a record that was withheld from the start begins when it is published.
func publicVersions(all []models.FactVersion) []models.FactVersion {
	hidden := withheldAtFirst(all)
	known := !hidden // whether some state was ever published
	var (
		out     []models.FactVersion
		pending []models.FactVersion // one a field, of what happened while nothing was published
	)
	for len(all) > 0 {
		run := all[:runLength(all)]
		all = all[len(run):]
		after := hidden
		for _, v := range run {
			if v.Field == models.WithheldField {
				after = v.After != nil
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
			if known && !sameText(v.Before, v.After) {
				v.At, v.Source = run[0].At, run[0].Source
				out = append(out, v)
			}
		}
		known, pending = true, nil
	}
	return out
}

// withheldAtFirst tells whether a record was withheld before its first version.
func withheldAtFirst(all []models.FactVersion) bool {
	for _, v := range all {
		if v.Field == models.WithheldField {
			return v.Before != nil
		}
	}
	return false
}

// runLength is the number of versions at the start of the list that one run wrote.
func runLength(list []models.FactVersion) int {
	n := 1
	for n < len(list) && list[n].At.Equal(list[0].At) && list[n].Source == list[0].Source {
		n++
	}
	return n
}

// overlay lays a version over earlier ones of its field.
func overlay(list []models.FactVersion, v models.FactVersion) []models.FactVersion {
	for i := range list {
		if list[i].Field == v.Field {
			list[i].After = v.After
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
