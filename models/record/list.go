package record

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
)

// list is what the SQL of a family's list is made of. The list functions of the families fill it in.
type list struct {
	table
	// order is the ORDER BY of the list, over the alias of the table.
	order string
	// carry are the columns of the order: the page is picked by them before its rows are read.
	carry string
	// total is the SQL of the exact total without reading the records; empty if the matches must be counted.
	total string
	// named is true with a name condition: then the bound values must shape the plan.
	named bool
	// where holds the filters.
	where db.Condition
	// seek is where the page starts. It is no part of the total, and shares where's arguments.
	seek db.Condition
	page models.Page
	// now is the moment of reading, for columns that depend on it.
	now time.Time
}

// sql returns one statement that answers a page and its exact total from one snapshot. The first column is
// the total; a page past the end is one row of nulls beside it. It asks for one row more than the limit, to
// know whether there is a next page. With a total from the counters it reads, shortened:
//
//	select t.n, b.rid, b.id, ...
//	from (select (select sum(n) from roster_totals where ...)::bigint as n) t
//	left join (published_bookings b
//	  join (select b.rid from published_bookings b where ... order by ... limit 51 offset 0) p on p.rid = b.rid) on true
//	order by ...
//
// Matches that have to be counted are found once, in a common table expression m under the alias of the
// table, so that conditions and order hold for both.
func (l *list) sql() (string, []any) {
	w, key := &l.where, l.alias+"."+l.key
	with, total, from := "", l.total, l.name+" "+l.alias+" where "+w.String()
	if total == "" {
		with = "with m as materialized (select " + key + ", " + l.carry + " from " + from + ") "
		total, from = "select count(*) from m", "m "+l.alias+" where true"
	}
	if len(l.seek.Parts) > 0 {
		from += " and " + l.seek.String()
	}
	picked := "select " + key + " from " + from + " order by " + l.order + " limit " + w.Bind(l.page.Limit+1) + " offset " + w.Bind(l.page.Offset)
	join := l.join
	if join != "" {
		join = strings.ReplaceAll(join, "?", w.Bind(l.now))
	}
	return with + "select t.n, " + l.columns + " from (select (" + total + ")::bigint as n) t left join (" + l.name + " " + l.alias +
		" join (" + picked + ") p on p." + l.key + " = " + key + ") on true" + join + " order by " + l.order, w.Args
}

// run answers the list by SQL and returns the total. scan reads one row whose first column goes to total.
func (l *list) run(ctx context.Context, s *Store, scan func(pgx.Rows, *int64) error) (int, error) {
	sql, args := l.sql()
	if l.named {
		// An unnamed statement is planned with its values: a generic plan of LIKE $1 is seven times slower.
		args = append([]any{pgx.QueryExecModeCacheDescribe}, args...)
	}
	rows, err := s.Pool().Query(ctx, sql, args...)
	if err != nil {
		return 0, fmt.Errorf("list %s: %w", l.family, err)
	}
	defer rows.Close()
	var total int64
	for rows.Next() {
		if err := scan(rows, &total); err != nil {
			return 0, fmt.Errorf("read list of %s: %w", l.family, err)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("list %s: %w", l.family, err)
	}
	return int(total), nil
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
