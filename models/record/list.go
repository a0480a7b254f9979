package record

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/match"
	"rollcall/models"
)

// countersSum is what reads the total of a list from counters.
const countersSum = "coalesce(sum(n), 0)::bigint as n"

// list is the page of a family that a filter asks for, by SQL. The list functions of the families fill it in.
type list[R any] struct {
	*records[R]
	// order is the ORDER BY of the list, over the alias of the table.
	order string
	// carry are the columns of the order: the page is picked by them before its rows are read.
	carry string
	// where holds the filters.
	where func(*gorm.DB) *gorm.DB
	// total reads the exact total from counters; nil if the matches must be counted.
	total *gorm.DB
	// named is true with a name condition: then the bound values must shape the plan.
	named bool
	// seek is where the page starts; nil is at the first match. It is no part of the total.
	seek func(*gorm.DB) *gorm.DB
	page models.Page
}

// query is one statement for a page beside its exact total n, from one snapshot; a page past the end is one row of nulls
// beside n. It asks for one row more than the limit, to know whether there is a next page. With a total from the counters it
// is, shortened:
//
//	select p.n, b.rid, b.id, ...
//	from (select t.n, p.* from (select sum(n) as n from roster_totals where ...) t
//	  left join (select b.rid from published_bookings b where ... order by ... limit 51) p on true) p
//	left join published_bookings b on b.rid = p.rid
//	order by ...
//
// Matches that have to be counted are found once, in a common table expression m under the alias of the table.
func (l *list[R]) query(ctx context.Context, s *Store) *gorm.DB {
	on, key := s.rows(ctx), l.column()
	picked, total := l.where(on.Table(l.from(l.name))), l.total
	page, args := "select t.n, p.* from (?) t left join (?) p on true", []any{}
	if total == nil {
		page, args = "with m as materialized (?) "+page, append(args, picked.Select(key+", "+l.carry))
		picked, total = on.Table(l.from("m")), on.Table("m").Select("count(*) as n")
	}
	if l.seek != nil {
		picked = l.seek(picked)
	}
	picked = picked.Select(key).Order(l.order).Limit(l.page.Limit + 1).Offset(l.page.Offset)
	q := on.Table("("+page+") p", append(args, total, picked)...).Select("p.n, " + l.columns).
		Joins("left join " + l.from(l.name) + " on " + key + " = p." + l.key)
	return l.joined(q, s.Now()).Order(l.order)
}

// read answers the list by SQL and returns the page, the total, and whether there is a next page.
func (l *list[R]) read(ctx context.Context, s *Store) (found []*R, total int, more bool, err error) {
	var mode []any
	if l.named {
		// An unnamed statement is planned with its values: a generic plan of LIKE $1 is seven times slower.
		mode = []any{pgx.QueryExecModeCacheDescribe}
	}
	found, n, err := l.scan(ctx, s, l.query(ctx, s), mode...)
	if err != nil {
		return nil, 0, false, fmt.Errorf("list %s: %w", l.family, err)
	}
	if len(found) > l.page.Limit {
		found, more = found[:l.page.Limit], true
	}
	return found, int(n), more, nil
}

// indexTries is how often a list query waits for its index to catch up before SQL answers it.
const indexTries = 2

// indexed answers a list from the family's index: the keys of the page and the total come from memory, the
// rows are read by key, from the record cache or by one statement that also reads the generation. So rows and
// total are of one snapshot. If a commit came in between, the index catches up and the page is read again. ok
// is false when SQL must answer.
func (s *Store) indexed(ctx context.Context, f models.Family, q models.IndexQuery,
	read func(keys []int64, at int64) (gen int64, err error),
) (total int, more, ok bool, err error) {
	ix := s.index[f]
	if ix == nil {
		return 0, false, false, nil
	}
	limit := q.Limit
	// One more than the page shows whether there is another, as in SQL.
	q.Limit++
	// The index and the rows are read at two moments. A commit in between shows in the generation of the
	// rows.
	for range indexTries {
		found, loaded := ix.Find(q)
		if !loaded {
			return 0, false, false, nil
		}
		keys := found.Keys[:min(len(found.Keys), limit)]
		gen, err := read(keys, found.Gen)
		if err != nil {
			return 0, false, false, err
		}
		// Rows and index are of one generation, so total and page fit together.
		if gen == found.Gen {
			return found.Total, len(found.Keys) > limit, true, nil
		}
		if ix.CatchUp(ctx, gen) != nil { // SQL answers instead
			return 0, false, false, nil //nolint:nilerr // see above
		}
	}
	return 0, false, false, nil
}

// nameWords folds a name query into words; given is false when there is no name filter. A name of blanks
// folds to nothing, and so matches nothing (DECISIONS.md, "Names").
func nameWords(name *string) (words []string, given bool, err error) {
	if name == nil || *name == "" {
		return nil, false, nil
	}
	if strings.ContainsRune(*name, 0) || !utf8.ValidString(*name) {
		return nil, false, models.Invalid("name", "name must be valid UTF-8 without NUL bytes")
	}
	return match.Words(*name), true, nil
}
